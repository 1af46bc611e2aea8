import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

import type { Resources } from '../../platform/resources.ts';

export const ROOT = path.resolve(import.meta.dirname, '../../..');

/** These variables are set to '', which counts as not set, so that the environment does not change what is measured. */
const UNSET = [
  'DATABASE_URL',
  'EVENTSTORE_URL',
  'SMTP_URL',
  'PUBLIC_URL',
  'SESSION_SECRET',
  'TRUST_PROXY',
  'SEED',
  'HOST',
  'RAZORPAY_KEY_ID',
  'RAZORPAY_KEY_SECRET',
  'RAZORPAY_WEBHOOK_SECRET',
  'RAZORPAY_URL',
];

const Project = z.object({ scripts: z.object({ start: z.string().startsWith('node ') }) });

/** Returns node's arguments in `npm start`. */
const startArguments = (): string[] => {
  const { scripts } = Project.parse(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')));
  return scripts.start.split(' ').slice(1);
};

/** Waits for the banner, which is printed when the shop is open, and returns the URL in it. */
const readAddress = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    server.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, url] = /^ +Shop +(http\S+)/m.exec(said) ?? [];
      if (url) resolve(url);
    });
    server.once('exit', () => reject(new Error(`The shop did not open:\n${said}`)));
  });

const stop = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
};

export type ShopOptions = {
  /** The default is all parts in one process. */
  readonly part?: 'http';
  /** The default is the opening catalogue. */
  readonly seed?: 'none';
};

/** The settings of a shop to be measured, whatever the environment says. */
export const shopEnvironment = (settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...Object.fromEntries(UNSET.map((name) => [name, ''])),
  ...settings,
});

/**
 * Starts the shop as `npm start` does: built, in a process of its own, on the Postgres in `dataDir`, with higher rate limits. Returns its
 * address. Closing `opened` stops it, also while it starts.
 */
export const startShop = async (dataDir: string, opened: Resources, { part, seed }: ShopOptions = {}): Promise<string> => {
  const env = shopEnvironment({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '100000', SEED: seed ?? '' });
  const args = [...startArguments(), ...(part ? [part] : [])];
  return readAddress(opened.with(spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] }), stop));
};
