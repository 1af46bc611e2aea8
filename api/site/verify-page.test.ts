import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openVerifyPage } from './verify-page.ts';

const POLICY = "default-src 'none'; script-src 'sha256-a'";
const HTML = `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><script type="application/json" id="policy">{}</script>`;

let folder: string;
const write = async (html: string): Promise<void> => {
  await mkdir(path.join(folder, '.vite/verify'), { recursive: true });
  await writeFile(path.join(folder, '.vite/verify/verify.html'), html);
};

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ruhani-verify-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('the page has the keys as they are now, and its own content security policy', async () => {
  await write(HTML);
  const logs = ['</script><b>$&'];
  const read = await openVerifyPage(folder, async () => ({ logs: [...logs], witnesses: [], quorum: 0 }));
  const first = await read?.();
  expect(first?.document.content.as('identity').toString()).toBe(
    HTML.replace('{}', () => '{"logs":["\\u003c/script>\\u003cb>$&"],"witnesses":[],"quorum":0}'),
  );
  expect(first?.contentPolicy).toBe(`${POLICY}; frame-ancestors 'none'`);
  expect(await read?.()).toBe(first);
  logs.push('another');
  expect((await read?.())?.document.content.as('identity').toString()).toContain('"another"');
});

test('without a build there is no page, and another page is refused', async () => {
  const readPolicy = async () => ({ logs: [], witnesses: [], quorum: 0 });
  expect(await openVerifyPage(folder, readPolicy)).toBeUndefined();
  await write('<p>Hello</p>');
  await expect(openVerifyPage(folder, readPolicy)).rejects.toThrow('is not the page that the build of web makes');
});
