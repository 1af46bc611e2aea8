import './root.js';
import { readFileSync, rmSync } from 'node:fs';
import { install } from './install.js';
import { runNode } from './run-program.js';
import { say } from './say.js';

// `npm test`: all tests, or those that its arguments name as in vitest. Only those that run the built shop build it.
// `npm run test:long`: those that run for minutes under LONG_RUN, at their full length.
const RESULTS = '.build/test-results.json';

/** A file that does not load counts as one failure. */
const failuresOf = ({ status, assertionResults }) => {
  const failed = assertionResults.filter((test) => test.status === 'failed').length;
  return status === 'failed' ? Math.max(1, failed) : failed;
};

const count = (code) => {
  let results;
  try {
    results = JSON.parse(readFileSync(RESULTS, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 };
  }
  const failed = results.testResults.reduce((sum, file) => sum + failuresOf(file), 0);
  // An error outside of any test fails the run too.
  return { passed: results.numPassedTests, failed: code === 0 ? failed : Math.max(1, failed) };
};

const LONG_RUNS = [
  'api/verification/drill/drill.test.ts',
  'api/verification/simulation/simulation.test.ts',
  'api/verification/agreement.test.ts',
  'api/orders/receipts.test.ts',
  'api/payments/desk/refund-or-move.test.ts',
  'api/payments/desk/remittances.test.ts',
  'projections/orders/orders.property.test.ts',
  'web/app/agreement.test.tsx',
];

const isLong = process.argv[2] === '--long';
const named = isLong ? [...LONG_RUNS, ...process.argv.slice(3)] : process.argv.slice(2);
await install();
say('Running the tests');
rmSync(RESULTS, { force: true });
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${RESULTS}`];
const args = ['run', '--config', 'api/testing/vitest.config.ts', ...reporters, ...named];
const code = await runNode(['node_modules/vitest/vitest.mjs', ...args], { env: { ...process.env, LONG_RUN: String(isLong) } });
const { passed, failed } = count(code);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : code);
