import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

import type { Erasure } from './erasures.ts';
import { openListFile } from './list-file.ts';

const user = '0b8c4f1e-52aa-4d3c-9b1f-6a0d2c7e91f4';
const visitor = '1b8c4f1e-52aa-4d3c-9b1f-6a0d2c7e91f4';
const askedAt = new Date('2026-11-14T08:33:00.000Z');
const recipients = ['now', 'before', 'long before'].map((text) => Buffer.from(text));

const openFile = async (...lines: readonly string[]) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'erasures-'));
  await writeFile(path.join(dataDir, 'erasures.ndjson'), lines.join('\n'));
  return openListFile(dataDir);
};

test('the list is read as it was written', async () => {
  const erasures: readonly Erasure[] = [
    { user, subjects: [user], addresses: ['address-1', 'address-2'], recipients, askedAt },
    { user: visitor, subjects: [visitor], addresses: [], recipients: [], askedAt },
  ];
  const file = await openFile();
  await file.append(erasures);
  expect(await file.read()).toEqual(erasures);
});

test('a line of an earlier release, which knows no former addresses, is read', async () => {
  const line = { user, subjects: [user], addresses: ['address-1'], recipient: Buffer.from('now').toString('base64'), askedAt };
  const ofVisitor = { user: visitor, subjects: [visitor], addresses: [], recipient: '', askedAt };
  const file = await openFile(JSON.stringify(line), JSON.stringify(ofVisitor), '{"user":"0b8c');
  expect(await file.read()).toEqual([
    { user, subjects: [user], addresses: ['address-1'], recipients: [Buffer.from('now')], askedAt },
    { user: visitor, subjects: [visitor], addresses: [], recipients: [], askedAt },
  ]);
});
