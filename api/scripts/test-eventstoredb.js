import './root.js';
import { install } from './install.js';
import { runNode } from './run-program.js';

// `npm run test:eventstoredb`: the tests that use the event store, against the server of EVENTSTORE_URL, or else against one in a container,
// or with `-- --double` against a double of it. Every run has streams of its own and leaves all others alone. Further arguments replace the
// list of tests.
const given = process.argv.slice(2);
const isOnDouble = given.includes('--double');
const named = given.filter((argument) => argument !== '--double');
await install();
// Every test that opens a shop, except backups of a log in Postgres, the test that blocks that log, and those that start processes; tests
// that tamper with the log in SQL are skipped.
const TOUCHING_THE_STORE = [
  'api/event-store',
  'api/command-handler',
  'api/cart',
  'api/orders',
  'api/payments',
  'api/catalogue/stock',
  'api/tax-documents',
  'api/pdf',
  'api/tax',
  'api/reactions',
  'api/catalogue',
  'api/site',
  'api/accounts',
  'api/contact',
  'api/newsletter',
  'api/restock-notices',
  'api/mail',
  'api/erasure',
  'api/admin',
  'api/audit',
  'api/cli/audit',
  'api/cli/live-audit',
  'api/cli/projections',
  'api/observability',
  'api/composition',
  'api/app.test',
  'api/testing/http-contract',
  'api/http',
];
const what = named.length > 0 ? named : TOUCHING_THE_STORE;
// The server is further away than the tests' Postgres.
const PATIENCE = '--testTimeout=120000';
const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'api/testing/vitest.config.ts', PATIENCE, ...what];
process.exit(await runNode(args, { env: { ...process.env, TEST_LOG: isOnDouble ? 'double' : 'eventstoredb' } }));
