import './end-with-npm.js';
import './root.js';
import { build } from './build.js';
import { install } from './install.js';
import { runNode } from './run-program.js';

// `npm run build`, `npm run bench -- …`, `npm run drill -- …`, and commands such as `npm run projections -- …`: builds what is stale, then
// becomes the command. Benches and the drill are not part of the build, so they run from source.
const [name, ...args] = process.argv.slice(2);
await install();
if (name === 'build') {
  await build('web', 'server');
  process.exit();
}
if (name === 'bench') process.exit(await runNode(['--import', 'tsx', 'api/verification/bench/bench.ts', ...args]));
// A simulation runs no process of the shop.
if (!args.includes('--simulate')) await build('server');
if (name === 'drill') process.exit(await runNode(['--import', 'tsx', 'api/verification/drill/run-drill.ts', ...args]));
process.setSourceMapsEnabled(true);
await import('../../.build/server/command.js');
