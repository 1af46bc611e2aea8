import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type BrowserServer, type LaunchOptions } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the run's Chromium, for Playwright. */
    chromium: string;
    /** The URL of the shop that the test files share. */
    shop: string;
  }
}

const SERVER = path.resolve('.build/server/main.js');

/** An admin, who may move orders, in every shop opened here. */
export const admin = { email: 'admin@ruhani.example', password: 'deg-bhapka-at-noon' } as const;

/** An auditor, who may read the audit, in every shop opened here. */
export const auditor = { email: 'books@ruhani.example', password: 'every-page-of-the-ledger' } as const;

export type ShopServer = { readonly url: string; close(): Promise<void> };

/** Starts the built shop on a free port, with its own database and the opening catalogue. `settings` are additional environment variables. */
export const startShop = async (settings: NodeJS.ProcessEnv = {}): Promise<ShopServer> => {
  if (!existsSync(SERVER)) throw new Error('The shop is not built: npm run build');
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ruhani-browser-'));
  const people = { ADMIN_PASSWORD: admin.password, AUDITOR_EMAIL: auditor.email, AUDITOR_PASSWORD: auditor.password };
  // All visitors come from one address, where limits are for one visitor.
  const own = { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '100' };
  const server = spawn(process.execPath, [SERVER], { env: { ...own, ...people, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] });
  const close = async (): Promise<void> => {
    if (server.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  for await (const line of createInterface(server.stdout)) {
    const [, url] = /^ *Shop +(http:\S+)/.exec(line) ?? [];
    if (!url) continue;
    // The output is not read any more, but a full pipe would stop the server.
    server.stdout.resume();
    return { url, close };
  }
  throw new Error('The shop did not open');
};

/** How each Chromium here is launched. */
export const getLaunchOptions = (): LaunchOptions => ({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-sync'],
});

/** Starts what all browser tests share: one Chromium, and one shop, whose catalogue and stock no test changes. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const [browser, shop]: [BrowserServer, ShopServer] = await Promise.all([chromium.launchServer(getLaunchOptions()), startShop()]);
  provide('chromium', browser.wsEndpoint());
  provide('shop', shop.url);
  return async () => {
    await browser.close();
    await shop.close();
  };
}
