import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';

import type { Opened } from '../infrastructure/opened.ts';
import { median } from './bare-inserts.ts';
import { startShop } from './shop-server.ts';

/**
 * Fetched by npx when the bench is run: with it the shop's own installation would be a quarter larger. Older ones cannot read what a Chromium
 * of today traces; this one wishes for Node 22, and was seen to work with 20.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const VISITS = 5;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const FLAGS = '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking';

type Goals = { readonly performance: number; readonly isPublic: boolean };
const FAST: Goals = { performance: 95, isPublic: true };
/** Of one shopper alone: search engines are kept away, which Lighthouse counts against a page. */
const OWN: Goals = { performance: 90, isPublic: false };
const PAGES: Readonly<Record<string, Goals>> = {
  '/': FAST,
  '/shop': FAST,
  '/product/oud-saffron-majlis': FAST,
  '/cart': OWN,
  '/checkout': OWN,
};

/** Scores of 0 to 100; `lcp` in ms; `cls` without unit; `script` in bytes over the wire. */
export type WebFigures = Readonly<Record<'performance' | 'accessibility' | 'bestPractices' | 'seo' | 'lcp' | 'cls' | 'script', number>>;
/** What Lighthouse found wanting in any visit, by the ids of its audits. */
export type WebBench = Readonly<Record<string, WebFigures & { readonly faults: readonly string[] }>>;

const Score = z.object({ score: z.number(), auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })) });
const Audit = z.object({ score: z.number().nullable(), numericValue: z.number().optional(), details: z.unknown().optional() });
const Requests = z.object({ items: z.array(z.object({ resourceType: z.string().optional(), transferSize: z.number().optional() })) });
const Report = z.object({
  categories: z.object({ performance: Score, accessibility: Score, 'best-practices': Score, seo: Score }),
  audits: z.record(z.string(), Audit),
});
type Report = z.infer<typeof Report>;

const run = promisify(execFile);

/** On a busy machine a trace may begin too late to hold the beginning of the visit; Lighthouse then asks to be run again. */
const ATTEMPTS = 3;

/** One visit of somebody new, as a phone on a slow line, which is what Lighthouse takes for granted. */
const look = async (address: string, attempt = 1): Promise<Report> => {
  const options = ['--output=json', '--quiet', `--only-categories=${CATEGORIES.join(',')}`, `--chrome-flags=${FLAGS}`];
  const env = { ...process.env, CHROME_PATH: process.env['CHROMIUM'] ?? '/usr/bin/chromium' };
  try {
    const { stdout } = await run('npx', ['--yes', LIGHTHOUSE, address, ...options], { env, maxBuffer: 2 ** 26 });
    return Report.parse(JSON.parse(stdout));
  } catch (error) {
    if (attempt === ATTEMPTS) throw error;
    return look(address, attempt + 1);
  }
};

const scriptOf = ({ audits }: Report): number =>
  Requests.parse(audits['network-requests']?.details)
    .items.filter(({ resourceType }) => resourceType === 'Script')
    .reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);

const figuresOf = (report: Report): WebFigures => {
  const { categories, audits } = report;
  const value = (audit: string): number => audits[audit]?.numericValue ?? Number.NaN;
  return {
    performance: categories.performance.score * 100,
    accessibility: categories.accessibility.score * 100,
    bestPractices: categories['best-practices'].score * 100,
    seo: categories.seo.score * 100,
    lcp: value('largest-contentful-paint'),
    cls: value('cumulative-layout-shift'),
    script: scriptOf(report),
  };
};

const faultsOf = ({ categories, audits }: Report): string[] =>
  [categories.accessibility, categories['best-practices'], categories.seo]
    .flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0))
    .filter(({ id }) => (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id);

const FIGURES = ['performance', 'accessibility', 'bestPractices', 'seo', 'lcp', 'cls', 'script'] as const;

const middleOf = (visits: readonly WebFigures[]): WebFigures => {
  const middle = (which: (typeof FIGURES)[number]): number => median(visits.map((visit) => visit[which]));
  return {
    performance: middle('performance'),
    accessibility: middle('accessibility'),
    bestPractices: middle('bestPractices'),
    seo: middle('seo'),
    lcp: middle('lcp'),
    cls: middle('cls'),
    script: middle('script'),
  };
};

const row = (page: string, cells: readonly string[]): void =>
  console.log(page.padEnd(30) + cells.map((cell) => cell.padStart(15)).join(''));

const show = (page: string, figures: WebFigures, { performance, isPublic }: Goals): void => {
  const score = (figure: number, goal?: number) => `${Math.round(figure)}${goal === undefined ? '' : ` (${goal})`}`;
  row(page, [
    score(figures.performance, performance),
    score(figures.accessibility, 100),
    score(figures.bestPractices, 100),
    score(figures.seo, isPublic ? 100 : undefined),
    `${(figures.lcp / 1000).toFixed(2)} s${isPublic ? ' (2.0)' : ''}`,
    `${figures.cls.toFixed(3)} (0.02)`,
    `${(figures.script / 1000).toFixed(1)} kB${page === '/' ? ' (130)' : ''}`,
  ]);
};

/**
 * How the shop's pages do in Lighthouse: as a phone on a slow line, the median of five visits by somebody new; the goals stand in brackets.
 * `BENCH_VISITS` in the environment asks for fewer or more.
 */
export const benchWeb = async ({ dataDir, opened }: { readonly dataDir: string; readonly opened: Opened }): Promise<WebBench> => {
  const visits = Number(process.env['BENCH_VISITS'] ?? VISITS);
  const url = await startShop(dataDir, opened);
  row(`median of ${visits}`, ['performance', 'accessibility', 'best practices', 'SEO', 'LCP', 'CLS', 'script']);
  const bench: Record<string, WebFigures & { readonly faults: readonly string[] }> = {};
  for (const [page, goals] of Object.entries(PAGES)) {
    const reports: Report[] = [];
    for (let visit = 0; visit < visits; visit++) reports.push(await look(url + page));
    const figures = middleOf(reports.map(figuresOf));
    bench[page] = { ...figures, faults: [...new Set(reports.flatMap(faultsOf))] };
    show(page, figures, goals);
  }
  console.log(JSON.stringify(bench));
  return bench;
};
