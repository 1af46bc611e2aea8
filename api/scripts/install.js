import { readFileSync } from 'node:fs';
import { runNode, runProgram } from './run-program.js';
import { fail, say } from './say.js';

const packagesOf = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
};

/** As in the lock file. Optional packages may be missing: most are for other machines. */
const isInstalled = () => {
  const wanted = packagesOf('package-lock.json') ?? fail('package-lock.json is missing or cannot be read.');
  const present = packagesOf('node_modules/.package-lock.json');
  if (!present) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const found = present[path];
    if (path === '') return true;
    return found ? found.version === version && found.integrity === integrity : optional === true;
  });
};

/** When they are missing or differ from the lock file. */
export const install = async () => {
  if (isInstalled()) return;
  say('Installing the libraries that the shop is made with (npm ci)');
  const args = ['ci', '--include=dev', '--include=optional', '--no-fund', '--no-audit', '--loglevel=error'];
  // Under `npm start` npm tells where it is; that needs no shell, on Windows either.
  const npm = process.env.npm_execpath;
  const code = npm ? await runNode([npm, ...args]) : await runProgram('npm', args, { shell: process.platform === 'win32' });
  if (code !== 0) fail('The libraries could not be installed: npm says why above.');
};
