import { z } from 'zod';

import type { Resources } from '../../platform/resources.ts';
import { median } from './measuring/bare-inserts.ts';
import { lighthouse, type LighthouseReport } from './lighthouse.ts';
import { startShop } from './shop/shop-server.ts';

type Goals = { readonly performance: number; readonly isPublic: boolean };
const FAST: Goals = { performance: 95, isPublic: true };
/** They exclude search engines, which Lighthouse counts against a page. */
const OWN: Goals = { performance: 90, isPublic: false };
const PAGES: Readonly<Record<string, Goals>> = {
  '/': FAST,
  '/shop': FAST,
  '/product/oud-saffron-majlis': FAST,
  '/cart': OWN,
  '/checkout': OWN,
};

const FIGURES = ['performance', 'accessibility', 'bestPractices', 'seo', 'lcp', 'cls', 'tbt', 'script'] as const;
/**
 * Scores of 0 to 100; `lcp` and `tbt`, the time in which the page was blocked, in ms; `cls` without unit; `script` in transferred bytes.
 */
export type WebFigures = Readonly<Record<(typeof FIGURES)[number], number>>;
/** `faults`: audits that failed in any visit. `machine`: Lighthouse's index of the machine's speed. */
export type WebBench = Readonly<Record<string, WebFigures & { readonly faults: readonly string[]; readonly machine: number }>>;

const Requests = z.object({ items: z.array(z.object({ resourceType: z.string().optional(), transferSize: z.number().optional() })) });

const scriptOf = ({ audits }: LighthouseReport): number =>
  Requests.parse(audits['network-requests']?.details)
    .items.filter(({ resourceType }) => resourceType === 'Script')
    .reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);

const figuresOf = (report: LighthouseReport): WebFigures => {
  const { categories, audits } = report;
  const value = (audit: string): number => audits[audit]?.numericValue ?? Number.NaN;
  return {
    performance: categories.performance.score * 100,
    accessibility: categories.accessibility.score * 100,
    bestPractices: categories['best-practices'].score * 100,
    seo: categories.seo.score * 100,
    lcp: value('largest-contentful-paint'),
    cls: value('cumulative-layout-shift'),
    tbt: value('total-blocking-time'),
    script: scriptOf(report),
  };
};

const faultsOf = ({ categories, audits }: LighthouseReport): string[] =>
  [categories.accessibility, categories['best-practices'], categories.seo]
    .flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0))
    .filter(({ id }) => (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id);

const middleOf = (visits: readonly WebFigures[]): WebFigures => {
  const middle = (which: (typeof FIGURES)[number]): number => median(visits.map((visit) => visit[which]));
  return {
    performance: middle('performance'),
    accessibility: middle('accessibility'),
    bestPractices: middle('bestPractices'),
    seo: middle('seo'),
    lcp: middle('lcp'),
    cls: middle('cls'),
    tbt: middle('tbt'),
    script: middle('script'),
  };
};

const row = (page: string, cells: readonly string[]): void =>
  console.log(page.padEnd(29) + cells.map((cell) => cell.padStart(15)).join(''));

const show = (page: string, figures: WebFigures, { performance, isPublic }: Goals, machine: number): void => {
  const score = (figure: number, goal?: number) => `${Math.round(figure)}${goal === undefined ? '' : ` (${goal})`}`;
  row(page, [
    score(figures.performance, performance),
    score(figures.accessibility, 100),
    score(figures.bestPractices, 100),
    score(figures.seo, isPublic ? 100 : undefined),
    `${(figures.lcp / 1000).toFixed(2)} s (2.0)`,
    `${figures.cls.toFixed(3)} (0.02)`,
    `${Math.round(figures.tbt)} ms`,
    `${(figures.script / 1000).toFixed(1)} kB${page === '/' ? ' (130)' : ''}`,
    score(machine),
  ]);
};

type Place = { readonly dataDir: string; readonly opened: Resources; readonly visits: number };

/**
 * The shop's pages in Lighthouse: as a phone on a slow line, the median of this many visits of a new visitor; goals are in brackets. The
 * last column is Lighthouse's index of the machine's speed: the same page scores less on a busy machine.
 */
export const benchWeb = async ({ dataDir, opened, visits }: Place): Promise<WebBench> => {
  const { url } = await startShop(dataDir, opened);
  const look = lighthouse(dataDir, opened);
  row(`median of ${visits}`, ['performance', 'accessibility', 'best practices', 'SEO', 'LCP', 'CLS', 'blocked', 'script', 'machine']);
  const bench: Record<string, WebBench[string]> = {};
  for (const [page, goals] of Object.entries(PAGES)) {
    const reports: LighthouseReport[] = [];
    for (let visit = 0; visit < visits; visit++) reports.push(await look(url + page));
    const figures = middleOf(reports.map(figuresOf));
    const machine = median(reports.map(({ environment }) => environment.benchmarkIndex));
    bench[page] = { ...figures, machine, faults: [...new Set(reports.flatMap(faultsOf))] };
    show(page, figures, goals, machine);
  }
  console.log(JSON.stringify(bench));
  return bench;
};
