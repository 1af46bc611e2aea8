import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Opened } from '../infrastructure/opened.ts';
import type { Contest, Patience } from './beside.ts';
import type { Wanted } from './koa-child.ts';
import { answersPerSecond, requestFor } from './load.ts';

/** What is asked for: some of these are picked at random, with their cookies. */
export type Asked = { readonly path: string; readonly cookie: string };

export const CONNECTIONS = 16;
/** Of so many processes of Koa the quickest is the limit: now and then one is slower by a quarter for as long as it runs. */
const KOAS = 2;
/** So many different requests at most make up what one connection asks for. */
const EACH = 500;

const CHILD = fileURLToPath(new URL('koa-child.ts', import.meta.url));

/** Koa which serves answers from memory and does nothing else. */
type StaticKoa = { readonly url: string; serve(wanted: Wanted): Promise<void> };

const end = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
};

const startKoa = async (opened: Opened): Promise<StaticKoa> => {
  const child = opened.with(fork(CHILD, { execArgv: ['--import', 'tsx'] }), end);
  const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`Koa ended with ${code}`)));
  failed.catch(() => {});
  const [{ port }] = (await Promise.race([once(child, 'message'), failed])) as [{ port: number }];
  const serve = async (wanted: Wanted): Promise<void> => {
    child.send(wanted);
    await Promise.race([once(child, 'message'), failed]);
  };
  return { url: `http://127.0.0.1:${port}`, serve };
};

const picked = (asked: readonly Asked[]): Asked[] =>
  Array.from(
    { length: Math.min(EACH, 10 * asked.length) },
    () => asked[Math.floor(Math.random() * asked.length)] ?? { path: '', cookie: '' },
  );

/** What `rateOf` finds to be the quickest; each is tried twice, since the first time is spent on warming up. */
const quickest = async (koas: readonly StaticKoa[], rateOf: (koa: StaticKoa) => Promise<number>): Promise<StaticKoa> => {
  let best: { readonly koa: StaticKoa; readonly rate: number } | undefined;
  for (const koa of koas) {
    await rateOf(koa);
    const rate = await rateOf(koa);
    if (!best || rate > best.rate) best = { koa, rate };
  }
  if (!best) throw new Error('There is no Koa');
  return best.koa;
};

/** The shop answering these requests, beside Koa which serves the same bytes from memory until `opened` is closed. */
export const besideKoa = async (shop: string, asked: readonly Asked[], { seconds }: Patience, opened: Opened): Promise<Contest> => {
  const connections = Array.from({ length: CONNECTIONS }, () => picked(asked));
  const unique = new Map(connections.flat().map((each) => [each.cookie + each.path, each]));
  const asking = connections.map((each) => each.map(({ path, cookie }) => requestFor(path, cookie)));
  const answersOf = (url: string) => answersPerSecond({ url, asking, seconds });
  const koas: StaticKoa[] = [];
  for (let started = 0; started < KOAS; started++) {
    const koa = await startKoa(opened);
    await koa.serve({ url: shop, asked: [...unique.values()] });
    koas.push(koa);
  }
  const { url } = await quickest(koas, (koa) => answersOf(koa.url));
  return { limit: () => answersOf(url), rate: () => answersOf(shop) };
};
