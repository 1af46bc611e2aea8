import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openEmbeddedPostgres } from '../../platform/postgres/embedded-postgres.ts';
import { isLongRun } from '../../testing/long-run.ts';
import { drill } from './drill.ts';
import { programIn, stores } from './drill-environment.ts';
import { flash } from './flash.ts';

const SECONDS = isLongRun ? 30 : 15;

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'ruhani-drill-test-'));
});
afterEach(async () => {
  // Closing stops the server that a failed drill may leave running.
  await (await openEmbeddedPostgres({ dataDir })).close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Makes the directory of another release: its program is ours, and it notes its starts first. */
const makeRelease = async (): Promise<{ before: string; started: () => Promise<readonly string[]> }> => {
  const [before, notes] = [path.join(dataDir, 'before'), path.join(dataDir, 'starts')];
  await mkdir(path.dirname(programIn(before)), { recursive: true });
  const note = `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(notes)}, process.argv[2] + '\\n');`;
  await writeFile(programIn(before), `${note} await import(${JSON.stringify(programIn())});`);
  return { before, started: async () => [...new Set((await readFile(notes, 'utf8')).trim().split('\n'))].toSorted() };
};

test.each(isLongRun ? stores : stores.slice(0, 1))(
  `every order matches the answers to its shopper after ${SECONDS} s of killed, stopped and disconnected processes, with the log in %s`,
  { timeout: 480_000 },
  async (store) => {
    const { before, started } = await makeRelease();
    const report = await drill({ seed: 7, seconds: SECONDS, shoppers: 4, store, before, dataDir });
    expect(await started()).toEqual(['http', 'projections']);
    expect(report.verdicts.filter(({ broken }) => broken.length > 0)).toEqual([]);
    // The drill is only valid if there were orders and faults, and a long one if there were erasures.
    expect(report.recorded.placed).toBeGreaterThan(0);
    if (isLongRun) expect(report.recorded.erased).toBeGreaterThan(0);
    expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1);
  },
);

if (isLongRun)
  test('ten bottles are sold once each to two hundred shoppers while a process is killed', async () => {
    const report = await flash({ seed: 7, store: 'postgres', bottles: 10, shoppers: 200, dataDir });
    expect(report.verdicts.filter(({ broken }) => broken.length > 0)).toEqual([]);
    expect(report.placed).toBe(10);
  });
