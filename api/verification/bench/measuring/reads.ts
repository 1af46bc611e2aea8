import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Resources } from '../../../platform/resources.ts';
import type { MeasuredPair, MeasuringTime } from './compare-with-limit.ts';
import { answersPerSecond, requestFor, type NextRequest } from './load.ts';
import type { Wanted } from './static-server-child.ts';

export type RequestedPath = { readonly path: string; readonly cookie: string };

/** A random choice of `known`. With `unseen` each request is new, so that no answer is cached; `known` are then samples of its answers. */
export type RequestSource = { readonly known: readonly RequestedPath[]; readonly unseen?: () => RequestedPath };

export const CONNECTIONS = 16;
/** The fastest one is the limit: now and then one is slower for as long as it runs. */
const SERVERS = 2;
const EACH = 500;

const CHILD = fileURLToPath(new URL('static-server-child.ts', import.meta.url));

/** A `node:http` server that serves answers from memory. */
type StaticServer = { readonly url: string; serve(wanted: Wanted): Promise<void> };

const end = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
};

const startStatic = async (opened: Resources): Promise<StaticServer> => {
  const child = opened.with(fork(CHILD, { execArgv: ['--import', 'tsx'] }), end);
  const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The static server ended with ${code}`)));
  failed.catch(() => {});
  const [{ port }] = (await Promise.race([once(child, 'message'), failed])) as [{ port: number }];
  const serve = async (wanted: Wanted): Promise<void> => {
    child.send(wanted);
    await Promise.race([once(child, 'message'), failed]);
  };
  return { url: `http://127.0.0.1:${port}`, serve };
};

const picked = (asked: readonly RequestedPath[]): RequestedPath[] =>
  Array.from(
    { length: Math.min(EACH, 10 * asked.length) },
    () => asked[Math.floor(Math.random() * asked.length)] ?? { path: '', cookie: '' },
  );

const inCircle = (asked: readonly RequestedPath[]): NextRequest => {
  const requests = asked.map(({ path, cookie }) => requestFor(path, cookie));
  let sent = 0;
  return () => requests[sent++ % requests.length] ?? Buffer.alloc(0);
};

/** The one with the highest `callsPerSecond`, measured twice, the first time as a warm-up. */
const quickest = async (servers: readonly StaticServer[], rateOf: (server: StaticServer) => Promise<number>): Promise<StaticServer> => {
  let best: { readonly server: StaticServer; readonly rate: number } | undefined;
  for (const server of servers) {
    await rateOf(server);
    const rate = await rateOf(server);
    if (!best || rate > best.rate) best = { server, rate };
  }
  if (!best) throw new Error('There is no static server');
  return best.server;
};

/** The shop beside bare `node:http` that serves the same bytes from memory until `opened` is closed. */
export const compareWithStaticFiles = async (
  shop: string,
  { known, unseen }: RequestSource,
  { seconds }: MeasuringTime,
  opened: Resources,
): Promise<MeasuredPair> => {
  const connections = Array.from({ length: CONNECTIONS }, () => picked(known));
  const unique = new Map(connections.flat().map((each) => [each.cookie + each.path, each]));
  const anew =
    unseen &&
    ((): Buffer => {
      const { path, cookie } = unseen();
      return requestFor(path, cookie);
    });
  const asking = connections.map((each) => anew ?? inCircle(each));
  const answersOf = (url: string) => answersPerSecond({ url, asking, seconds });
  const servers: StaticServer[] = [];
  for (let started = 0; started < SERVERS; started++) {
    const server = await startStatic(opened);
    await server.serve({ url: shop, asked: [...unique.values()], anyPath: unseen !== undefined });
    servers.push(server);
  }
  const { url } = await quickest(servers, (server) => answersOf(server.url));
  return { limit: () => answersOf(url), rate: () => answersOf(shop) };
};
