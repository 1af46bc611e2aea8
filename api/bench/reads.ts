import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { Opened } from '../infrastructure/opened.ts';
import { beside, type Beside, type Patience } from './beside.ts';
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

/** How often a second the shop answers these requests, beside Koa which serves the same bytes from memory. */
export const besideKoa = async (shop: string, asked: readonly Asked[], patience: Patience): Promise<Beside> => {
  const connections = Array.from({ length: CONNECTIONS }, () => picked(asked));
  const unique = new Map(connections.flat().map((each) => [each.cookie + each.path, each]));
  const asking = connections.map((each) => each.map(({ path, cookie }) => requestFor(path, cookie)));
  const answersOf = (url: string) => answersPerSecond({ url, asking, seconds: patience.seconds });
  const opened = new Opened();
  try {
    const koas: StaticKoa[] = [];
    for (let started = 0; started < KOAS; started++) {
      const koa = await startKoa(opened);
      await koa.serve({ url: shop, asked: [...unique.values()] });
      koas.push(koa);
    }
    const { url } = await quickest(koas, (koa) => answersOf(koa.url));
    return await beside(
      patience,
      () => answersOf(url),
      () => answersOf(shop),
    );
  } finally {
    await opened.close();
  }
};
