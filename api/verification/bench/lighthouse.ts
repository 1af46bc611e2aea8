import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

import type { Resources } from '../../platform/resources.ts';

/**
 * Fetched by npx: as a dependency it would make the shop's installation a quarter larger. Older versions cannot read the traces of a
 * current Chromium; this one asks for Node 22, and works with 20.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const FLAGS = '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking';
/** As a new visitor with a phone on a slow line, Lighthouse's default. */
const OPTIONS = ['--output=json', '--quiet', `--only-categories=${CATEGORIES.join(',')}`, `--chrome-flags=${FLAGS}`];

const Category = z.object({ score: z.number(), auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })) });
const Audit = z.object({ score: z.number().nullable(), numericValue: z.number().optional(), details: z.unknown().optional() });
const LighthouseReport = z.object({
  categories: z.object({ performance: Category, accessibility: Category, 'best-practices': Category, seo: Category }),
  audits: z.record(z.string(), Audit),
  /** The machine's speed during the visit: a mid-range phone has 400 to 1,000, a desktop 1,500 and more. */
  environment: z.object({ benchmarkIndex: z.number() }),
});
export type LighthouseReport = z.infer<typeof LighthouseReport>;

/** On a busy machine a trace may miss the beginning of the visit; Lighthouse then asks to be run again. */
const ATTEMPTS = 3;

/** Visits pages one after another, until `opened` is closed. Its files are in `directory`. */
export const lighthouse = (directory: string, opened: Resources) => {
  const env = { ...process.env, TMPDIR: directory, CHROME_PATH: process.env['CHROMIUM'] ?? '/usr/bin/chromium' };
  let isStopped = false;

  const stop = async (child: ChildProcess): Promise<void> => {
    isStopped = true;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // The whole process group: the browser would survive npx.
    process.kill(-child.pid, 'SIGINT');
    await ended;
  };
  const visit = async (address: string): Promise<LighthouseReport> => {
    const args = ['--yes', '--prefer-offline', LIGHTHOUSE, address, ...OPTIONS];
    const child = opened.with(spawn('npx', args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }), stop);
    const [report, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    if (code !== 0) throw new Error(`Lighthouse did not come through ${address}:\n${complaint}`);
    return LighthouseReport.parse(JSON.parse(report));
  };
  return async (address: string): Promise<LighthouseReport> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await visit(address);
      } catch (error) {
        if (isStopped || attempt === ATTEMPTS) throw error;
      }
    }
  };
};
