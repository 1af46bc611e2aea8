import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openEmbeddedPostgres } from '../infrastructure/embedded-postgres.ts';
import { drill } from './drill.ts';

const SECONDS = 60;

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'ruhani-drill-test-'));
});
afterAll(async () => {
  // Should the drill have broken off, its server is still there: whoever opens it last stops it.
  await (await openEmbeddedPostgres({ dataDir })).close();
  await rm(dataDir, { recursive: true, force: true });
});

test('a minute of killed, stopped and cut off processes leaves every order as its shopper was told', { timeout: 480_000 }, async () => {
  const report = await drill({ seed: 7, seconds: SECONDS, shoppers: 4, dataDir });
  expect(report.verdicts.filter(({ broken }) => broken.length > 0)).toEqual([]);
  // It was a drill only if there was work, and if something went wrong.
  expect(report.witnessed.placed).toBeGreaterThan(0);
  expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(3);
});
