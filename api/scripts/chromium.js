import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { runNode, runProgram } from './run-program.js';
import { fail, say } from './say.js';

/** Has no windows: the tests take a third less. */
const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const ELSEWHERE = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/** Not only there: what some systems call chromium only tells how to get it. */
const works = (file) => existsSync(file) && spawnSync(file, ['--version'], { timeout: 20_000 }).status === 0;

const onPath = (name) => (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name));

const find = () => {
  const { chromium } = createRequire(import.meta.url)('playwright-core');
  const candidates = [process.env.CHROMIUM, ...NAMES.flatMap(onPath), ...ELSEWHERE, chromium.executablePath()];
  return candidates.find((file) => file && works(file));
};

const fromDebian = async (name) => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runProgram('apt-get', ['-qq', 'update'], { env });
  await runProgram('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', name], { env });
};

/** The program file, installed when this machine has none. */
export const chromium = async () => {
  const isWanted = process.env.CI !== undefined && process.env.CHROMIUM === undefined && !onPath(SHELL).some(works);
  if (isWanted) await fromDebian(SHELL);
  const found = find();
  if (found) return found;
  say('Installing a Chromium for the browser tests');
  await fromDebian(SHELL);
  if (!find()) await fromDebian('chromium');
  const fromSystem = find();
  if (fromSystem) return fromSystem;
  await runNode(['node_modules/playwright-core/cli.js', 'install', 'chromium']);
  return find() ?? fail('There is no Chromium for the browser tests and none could be installed: set CHROMIUM to the program file of one.');
};
