import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpClient } from '../../lib/http/http-client.ts';
import { auditApi } from './audit-api.ts';
import { createAuditStore } from './AuditStore.tsx';
import type { CheckProgress, CheckResult } from './audit-types.ts';

const figures = { totalOrders: 2, lastWeekOrders: 1, totalSales: 4071, lastMonthSales: 4071 };
const sound: CheckResult = {
  done: true,
  events: 57,
  streams: 41,
  count: 0,
  findings: [],
  figures: { inLog: figures, inTable: figures, readModel: 'matches' },
  readModels: [],
};
const half: CheckProgress = { step: 1, steps: 2, of: 'log', events: 57, position: '57', end: '57' };

/** The test writes the server's responses to these line by line. */
let answers: ReadableStreamDefaultController<Uint8Array>[];
let aborted: number;

beforeEach(() => {
  answers = [];
  aborted = 0;
  const answer = (_url: unknown, { signal }: RequestInit = {}): Promise<Response> => {
    signal?.addEventListener('abort', () => (aborted += 1));
    return Promise.resolve(new Response(new ReadableStream<Uint8Array>({ start: (body) => void answers.push(body) })));
  };
  // axios gets no Request class, because outside a browser Request rejects a URL without a host.
  Object.assign(httpClient.defaults, { env: { fetch: answer, Request: null } });
});
afterEach(() => {
  delete httpClient.defaults.env;
});

const begin = async () => {
  const store = createAuditStore();
  const shown = store.dispatch(auditApi.endpoints.check.initiate('run'));
  await expect.poll(() => answers).toHaveLength(1);
  const check = () => auditApi.endpoints.check.select('run')(store.getState()).data;
  const write = (text: string) => answers[0]?.enqueue(new TextEncoder().encode(text));
  return { check, write, writeLine: (line: object) => write(`${JSON.stringify(line)}\n`), leave: () => shown.unsubscribe() };
};

test('a long answer shows its progress and then its result', async () => {
  const { check, write, writeLine } = await begin();
  expect(check()).toEqual({ state: 'running', progress: 0, doing: '' });
  writeLine(half);
  await expect.poll(check).toEqual({ state: 'running', progress: 0.5, doing: 'Reading the log' });
  // A line may arrive in two pieces.
  const [line, middle] = [JSON.stringify(sound), 40];
  write(line.slice(0, middle));
  write(`${line.slice(middle)}\n`);
  await expect.poll(check).toEqual({ state: 'done', result: sound });
});

test('a failed check gives the reason', async () => {
  const { check, writeLine } = await begin();
  writeLine({ failed: 'The database does not answer' });
  await expect.poll(check).toEqual({ state: 'failed', message: 'The database does not answer' });
});

test('an answer that breaks off gives a message that suggests another try', async () => {
  const { check, writeLine } = await begin();
  writeLine(half);
  answers[0]?.error(new Error('The line is down'));
  await expect.poll(check).toEqual({ state: 'failed', message: 'The books could not be checked. Please try again.' });
});

test('an answer that no component shows any more is aborted', async () => {
  const { check, leave, writeLine } = await begin();
  writeLine(half);
  await expect.poll(check).toMatchObject({ progress: 0.5 });
  leave();
  await expect.poll(() => aborted).toBe(1);
  expect(check()).toBeUndefined();
});
