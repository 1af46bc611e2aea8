import './root.js';
import { readdirSync } from 'node:fs';
import { install } from './install.js';
import { runNode } from './run-program.js';

// `npm run test:eventstoredb`: the tests that use the event store, against the server of EVENTSTORE_URL, or else against one in a container,
// or with `-- --double` against a double of it. Every run has streams of its own and leaves all others alone. Named tests replace the list;
// options, written as `--name=value`, are passed on.
const given = process.argv.slice(2);
const isOnDouble = given.includes('--double');
const options = given.filter((argument) => argument.startsWith('-') && argument !== '--double');
const named = given.filter((argument) => !argument.startsWith('-'));
await install();
// Backups of a log in Postgres, the test that blocks that log, and what opens no shop. The project leaves out the tests that start processes;
// those that tamper with the log in SQL are skipped.
const LEFT_OUT = ['cli/backup/', 'testing/overload.', 'deploy/', 'migrations/', 'platform/', 'verification/'];
const isListed = (file) => file.endsWith('.test.ts') && !LEFT_OUT.some((each) => file.startsWith(each));
const listTests = () =>
  readdirSync('api', { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter(isListed)
    .map((file) => `api/${file}`);
const what = named.length > 0 ? named : ['--project=servers', ...listTests()];
const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'api/testing/vitest.config.ts', ...what, ...options];
process.exit(await runNode(args, { env: { ...process.env, TEST_LOG: isOnDouble ? 'double' : 'eventstoredb' } }));
