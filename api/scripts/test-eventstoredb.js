import './root.js';
import { install } from './install.js';
import { runNode } from './run-program.js';
import { fail } from './say.js';

// `npm run test:eventstoredb`: the event store's own tests, and the whole shop's with its log there, against the server that
// EVENTSTORE_URL names. Every run has streams of its own and leaves all others on that server alone.
if (!process.env.EVENTSTORE_URL) fail('Set EVENTSTORE_URL to the EventStoreDB to test against, such as esdb://127.0.0.1:2113?tls=false');
await install();
const what = process.argv.length > 2 ? process.argv.slice(2) : ['api/event-store', 'api/cart/routes', 'api/cart/merge', 'api/reactions'];
const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'api/testing/vitest.config.ts', ...what];
process.exit(await runNode(args, { env: { ...process.env, TEST_LOG: 'eventstoredb' } }));
