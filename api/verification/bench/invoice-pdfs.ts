import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { Cookies } from '../journeys/browsing.ts';
import { productsOf, stepsFor } from './shop/shop-writes.ts';
import { startShop } from './shop/shop-server.ts';
import { signInAsAdmin } from './shop/stocked-shop.ts';
import type { Resources } from '../../platform/resources.ts';

const CONNECTIONS = 16;
const WARM_UPS = 100;
const WARM_UP_REQUESTS = 1_500;
const MEASURED = 300;
const REQUESTS = 4_000;

type Place = { readonly dataDir: string; readonly opened: Resources };
type Call = (method: string, path: string, body?: object) => Promise<Response>;

/** In ms. `issued`: from shipping to the invoice. `memory`: MiB that the shop's process grew by while papers were read again. */
export type PapersBench = {
  readonly issued: Percentiles;
  readonly first: Percentiles;
  readonly again: Percentiles;
  readonly memory: number;
};
type Percentiles = { readonly p50: number; readonly p99: number };

const percentiles = (times: readonly number[]): Percentiles => {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
};

/** Each caller takes the next of `count` when it has done one. */
const byCallers = async (count: number, work: (index: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const call = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, call));
};

const memoryOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
};

/** Places an order and ships it. Returns its id. */
const shippedOrder = async (url: string, products: readonly string[], staff: Call): Promise<string> => {
  const visit = { cookies: new Cookies(), order: '', page: '' };
  for (const { method, path, body, learn } of stepsFor(products).orders) {
    const headers = { 'Content-Type': 'application/json', cookie: String(visit.cookies) };
    const answer = await fetch(url + path(visit), { method, headers, body: JSON.stringify(body()) });
    visit.cookies.keep(answer.headers.getSetCookie());
    learn?.(visit, await answer.json());
  }
  for (const status of ['confirmed', 'shipped']) await staff('PUT', `/api/admin/order/${visit.order}/status`, { status });
  return visit.order;
};

/** The PDF of an invoice over HTTP from 16 connections: each for the first time, then any of them. */
export const measurePapers = async ({ dataDir, opened }: Place): Promise<PapersBench> => {
  const { url, pid } = await startShop(dataDir, opened);
  const cookie = await signInAsAdmin(url, dataDir);
  const staff: Call = (method, path, body) =>
    fetch(url + path, { method, headers: { 'Content-Type': 'application/json', cookie }, body: JSON.stringify(body) });
  const products = await productsOf(url);
  const ids: string[] = [];
  const waited: number[] = [];
  const ship = async (): Promise<void> => {
    const id = await shippedOrder(url, products, staff);
    const shipped = performance.now();
    while (!(await staff('GET', `/api/order/${id}/invoice`)).ok) await pause(10);
    waited.push(performance.now() - shipped);
    ids.push(id);
  };
  for (let index = 0; index < WARM_UPS; index++) await ship();
  const issued = percentiles(waited);
  await byCallers(MEASURED, ship);
  // `fetch` takes a tenth of the processors, which are then not the shop's.
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const pdf = async (id = ''): Promise<boolean> => {
    const [answer] = (await once(get(`${url}/api/order/${id}/invoice.pdf`, { agent, headers: { cookie } }), 'response')) as [
      IncomingMessage,
    ];
    await once(answer.resume(), 'end');
    return answer.statusCode === 200;
  };
  const [warm, measured] = [ids.slice(0, WARM_UPS), ids.slice(WARM_UPS)];
  // The threads run, their code is compiled.
  await byCallers(WARM_UP_REQUESTS, async (index) => void (await pdf(warm[index % warm.length])));
  const timed = async (count: number): Promise<Percentiles> => {
    const times: number[] = [];
    await byCallers(count, async (index) => {
      const began = performance.now();
      if (!(await pdf(measured[index % measured.length]))) throw new Error('An invoice was not answered');
      times.push(performance.now() - began);
    });
    return percentiles(times);
  };
  const first = await timed(measured.length);
  await timed(REQUESTS);
  const before = await memoryOf(pid);
  const again = await timed(REQUESTS);
  const memory = (await memoryOf(pid)) - before;
  agent.destroy();
  return { issued, first, again, memory };
};

export const benchPapers = async (place: Place): Promise<PapersBench> => {
  const bench = await measurePapers(place);
  const line = (label: string, { p50, p99 }: Percentiles, most = 150): void =>
    console.log(`${label.padEnd(44)}p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (to reach ${most})`);
  line('invoice after shipping, one at a time', bench.issued, 2_000);
  line(`invoice PDF, ${CONNECTIONS} connections, each once`, bench.first);
  line(`any of ${MEASURED}, again`, bench.again);
  console.log(`${`memory after ${REQUESTS.toLocaleString('en-US')} more`.padEnd(44)}${bench.memory.toFixed(0)} MiB more`);
  return bench;
};
