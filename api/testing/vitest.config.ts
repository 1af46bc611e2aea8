import path from 'node:path';
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '../..');
const PAGES = ['web/**/*.test.tsx'];
const BROWSER = ['web/browser-tests/**/*.test.ts'];

/** Files that take minutes: processes of the shop that are started, killed and started again. */
const LONG = /\/api\/(?:verification\/drill\/|testing\/processes\.|main\.|erasure\/unfinished\.|audit\/books\/book-routes\.)/;

/**
 * The long files begin first, so that no worker is left with one of them when the others have nothing more to do; then come the others on
 * servers, for which the workers have loaded the most.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => (LONG.test(moduleId) ? 0 : project.name === 'servers' ? 1 : 2);
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/**
 * Four projects: what runs in Node alone, what runs on servers, components in a DOM, and the whole shop in a real browser. None has a second
 * try: what is red once there is a fault.
 */
export default defineConfig({
  root,
  test: {
    root,
    globalSetup: path.join(import.meta.dirname, 'global-setup.ts'),
    exclude: [...configDefaults.exclude, '.build/**', '.data/**'],
    // A worker loads each module once: what a file of tests opens or fakes, it closes and gives back.
    isolate: false,
    // More than the two processors for which the time is reckoned: many of these tests wait for what others do.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // What is waited for may be long on its way on a machine that has much else to do.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['{domain,web}/**/*.test.ts'],
          exclude: [...BROWSER, '**/node_modules/**'],
          // A machine that has much else to do: a test that waits for what never comes still ends.
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'servers',
          environment: 'node',
          include: ['{api,projections}/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'pages',
          environment: 'happy-dom',
          include: PAGES,
          setupFiles: path.join(root, 'web/testing/patience.ts'),
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          environment: 'node',
          include: BROWSER,
          // A browser keeps a processor busy by itself.
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
