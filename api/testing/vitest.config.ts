import path from 'node:path';
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '../..');
const PAGES = ['web/**/*.test.tsx'];
const BROWSER = ['web/browser-tests/**/*.test.ts'];
/** These tests run the built shop. */
const PROCESSES = ['api/main.test.ts', 'api/testing/processes.test.ts', 'api/verification/drill/drill.test.ts'];

const POSTGRES = path.join(import.meta.dirname, 'global-setup.ts');
const BUILT_SHOP = path.join(root, 'api/scripts/set-up-built-shop.js');
const BROWSER_SHOP = path.join(root, 'web/browser-tests/servers.ts');

/** These other files take minutes. */
const LONG = /\/api\/(?:erasure\/unfinished\.|audit\/books\/book-routes\.)/;
/** These tests take minutes of one processor, and the tests of processes should not wait for them. */
const COMPUTING = /\/api\/verification\/simulation\/simulation\./;

/** Sorts long files first, so that no worker is left with one at the end; then the others on servers. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number =>
      project.name === 'processes' || LONG.test(moduleId) ? 0 : COMPUTING.test(moduleId) ? 1 : project.name === 'servers' ? 2 : 3;
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/**
 * The projects are Node alone, servers, the built shop as processes, components in a DOM, and the whole shop in a browser. Tests are not
 * retried: a test that fails once has found a fault.
 */
export default defineConfig({
  root,
  test: {
    root,
    exclude: [...configDefaults.exclude, '.build/**', '.data/**'],
    // A worker loads each module once, so each test file must undo its fakes and close what it opens.
    isolate: false,
    // There are more workers than two processors, because many of these tests wait for others.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // The timeouts are long enough for a busy machine; a test that waits for ever still ends.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 50_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['{domain,web}/**/*.test.ts'],
          exclude: [...BROWSER, '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'servers',
          environment: 'node',
          include: ['{api,projections}/**/*.test.ts'],
          exclude: [...PROCESSES, '**/node_modules/**'],
          globalSetup: POSTGRES,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          environment: 'node',
          include: PROCESSES,
          globalSetup: [POSTGRES, BUILT_SHOP],
        },
      },
      {
        extends: true,
        plugins: [react({ jsxImportSource: '#jsx' })],
        test: {
          name: 'pages',
          environment: 'happy-dom',
          // A click on a download would change the address, from which later pictures could not be found.
          environmentOptions: {
            happyDOM: { settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } } },
          },
          include: PAGES,
          setupFiles: path.join(root, 'web/testing/patience.ts'),
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          environment: 'node',
          include: BROWSER,
          globalSetup: [BUILT_SHOP, BROWSER_SHOP],
          // A browser keeps a processor busy by itself.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
