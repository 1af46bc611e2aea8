import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { install } from './install.js';
import './root.js';
import { say } from './say.js';

// `npm run check`, or those of its checks that its arguments name: side by side, each with its output in one piece.
// What does not change between two runs is kept in `.build`.
const cruise = (name, config) => {
  const options = ['--config', config, '--cache', `.build/check/${name}`, '--cache-strategy', 'content'];
  return ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', ...options, 'domain', 'projections', 'api', 'web'];
};

/** The longest first. */
const CHECKS = {
  // The native compiler checks the types. dependency-cruiser still needs the API of TypeScript 6.
  types: ['node_modules/typescript-7/bin/tsc', '-b'],
  imports: cruise('imports', '.dependency-cruiser.cjs'),
  format: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '--cache', '--cache-location=.build/check/format', '.'],
  'folder-imports': cruise('folder-imports', 'api/scripts/folders.dependency-cruiser.cjs'),
  'dead-code': ['node_modules/knip/bin/knip.js', '--cache', '--cache-location', '.build/check/dead-code'],
  lint: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'],
  house: ['api/scripts/check-house.js'],
};

/** Whether the check passed. */
const check = (name) =>
  new Promise((resolve) => {
    const start = performance.now();
    const child = spawn(process.execPath, CHECKS[name], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.once('close', (code) => {
      say(`${code === 0 ? 'passed' : 'FAILED'}  ${name}, ${((performance.now() - start) / 1000).toFixed(1)} s`);
      if (code !== 0 || name === 'house') process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in CHECKS));
if (unknown.length > 0) {
  say(`There is no check named ${unknown.join(', ')}: there are ${Object.keys(CHECKS).join(', ')}.`);
  process.exit(1);
}

await install();
const waiting = named.length > 0 ? named : Object.keys(CHECKS);
let failed = false;
const work = async () => {
  for (let name = waiting.shift(); name; name = waiting.shift()) if (!(await check(name))) failed = true;
};
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exit(failed ? 1 : 0);
