import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { verifyReceipt, type ReceiptPolicy } from '#domain/receipt/receipt.ts';
import { browserPlatform } from './browser-platform.ts';
import { readFragment } from './read-fragment.ts';

const FOLDER = 'api/transparency/vectors/';
type Index = { readonly policy: ReceiptPolicy; readonly vectors: readonly { readonly file: string; readonly reason?: string }[] };
const { policy, vectors }: Index = JSON.parse(readFileSync(`${FOLDER}index.json`, 'utf8'));

test.each(vectors)('the browser says of $file what its index says', ({ file, reason }) => {
  const verdict = verifyReceipt(readFileSync(FOLDER + file), policy, browserPlatform);
  expect(verdict.proved ? undefined : verdict.reason).toBe(reason);
});

describe('the fragment of a link', () => {
  const pack = (text: string) => deflateRawSync(text).toString('base64url');
  const read = async (fragment: string) => Buffer.from(await readFragment(fragment)).toString();

  test('is inflated', async () => {
    expect(await read(pack('hello'))).toBe('hello');
  });

  test('is nothing if it is another text, cut off or too large', async () => {
    const wrong = ['', 'hello', '%00', `${pack('hello')}=`, pack('hello').slice(0, -2), pack('x'.repeat(100_001))];
    for (const fragment of wrong) expect(await read(fragment)).toBe('');
    expect(await read(pack('x'.repeat(100_000)))).toHaveLength(100_000);
  });
});
