import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from './build.js';
import { chromium } from './chromium.js';

/** For the tests that run the built shop, and of them for those that need a browser: CHROMIUM is its program, TEST_DATA goes with the run. */
export default async function setUp({ name }) {
  await build('web', 'server');
  if (name !== 'browser') return;
  process.env.CHROMIUM = await chromium();
  if (process.env.TEST_DATA) return;
  const folder = await mkdtemp(path.join(tmpdir(), 'ruhani-tests-'));
  process.env.TEST_DATA = folder;
  return () => rm(folder, { recursive: true, force: true });
}
