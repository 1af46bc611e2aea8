import Koa from 'koa';
import { afterAll, expect, test, vi } from 'vitest';

import { openLogger } from '../platform/logger.ts';
import { listening } from '../testing/listening.ts';
import { accessLog } from './access-log.ts';
import { type State, requestId } from '../http/context.ts';

const lines: string[] = [];
const log = openLogger('info', { write: (line) => void lines.push(line) });

const app = new Koa<State>();
app.use(requestId);
app.use(accessLog(log));
app.use((ctx) => {
  ctx.body = 'answer';
});
const server = await listening(app.callback());
afterAll(() => server.close());

test.each(['/order/c2VjcmV0', '/ORDER/c2VjcmV0/', '/order/c2VjcmV0/more', '/notices/end/c2VjcmV0'])(
  'the token in %s is not logged',
  async (path) => {
    lines.length = 0;
    await fetch(server.url + path);
    await log.end();
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ path: path.startsWith('/n') ? '/notices/end/:token' : '/order/:token' });
  },
);

test('a request is logged in one line, without query and body', async () => {
  lines.length = 0;
  const response = await fetch(`${server.url}/reset-password?token=abc`);
  await log.end();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-/),
    requestId: response.headers.get('x-request-id'),
    method: 'GET',
    path: '/reset-password',
    status: 200,
    ms: expect.any(Number),
    msg: 'request',
  });
});

test('a health check that succeeds is logged only at level debug', async () => {
  lines.length = 0;
  for (const path of ['/healthz', '/readyz', '/healthz/more']) await fetch(`${server.url}${path}`);
  await log.end();
  expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual(['/healthz/more']);
});

test('control characters in an address are escaped', async () => {
  lines.length = 0;
  await fetch(`${server.url}/a%0d%0a"{"level":"fatal"}%1b[31m`);
  log.info({ path: 'a\r\nb\u001b[31m' }, 'request');
  await log.end();
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 'info' });
  expect(lines.map((line) => line.trimEnd().split(/[\r\n]/).length)).toEqual([1, 1]);
  // oxlint-disable-next-line no-control-regex -- the control character must not be in the output
  expect(lines.join('')).not.toMatch(/\u001b/);
});

test('secrets are removed, even from nested objects', () => {
  lines.length = 0;
  log.info({ password: 'hunter2', user: { email: 'meera@example.com', token: 'abc', id: 7 } }, 'sign-in');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ user: { id: 7 } });
  expect(lines[0]).not.toMatch(/hunter2|meera|abc/);
});

test('at a terminal, lines are formatted for people, and logged input cannot move the cursor', () => {
  const written: string[] = [];
  const { stdout } = process;
  const wasTerminal = stdout.isTTY;
  stdout.isTTY = true;
  const write = vi.spyOn(stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    openLogger('info').info({ path: '/\u001b[2J' }, 'request');
  } finally {
    write.mockRestore();
    stdout.isTTY = wasTerminal;
  }
  expect(written.join('')).toMatch(/^\[\d\d:\d\d:\d\d\] .*INFO.*request.*\n$/);
  expect(written.join('')).not.toContain('\u001b[2J');
});
