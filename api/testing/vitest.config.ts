import path from 'node:path';
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';

const root = path.resolve(import.meta.dirname, '../..');
const PAGES = ['web/**/*.test.tsx'];
const BROWSER = ['web/browser-tests/**/*.test.ts'];

/**
 * In CI, of components in a DOM and pages in a browser, which wait for a machine that has much else to do. Every second try is named in the
 * report. Servers, databases and concurrency have none: what is red once there is a fault.
 */
const SECOND_TRY = process.env['CI'] ? 1 : 0;

/** Four projects: what runs in Node alone, what runs on servers, components in a DOM, and the whole shop in a real browser. */
export default defineConfig({
  root,
  test: {
    root,
    globalSetup: path.join(import.meta.dirname, 'global-setup.ts'),
    exclude: [...configDefaults.exclude, '.build/**', '.data/**'],
    maxWorkers: 2,
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
          testTimeout: 30_000,
          retry: SECOND_TRY,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          environment: 'node',
          include: BROWSER,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          retry: SECOND_TRY,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
