import type { Comparison } from './measuring/compare-with-limit.ts';
import type { MeasuredRebuild } from './rebuild-child.ts';
import type { Rebuilt } from './rebuilds.ts';
import type { Starts } from './shop/starts.ts';
import type { Size } from './shop/stocked-shop.ts';
import type { TimeToVisible } from './shop/time-to-visible.ts';
import type { PapersBench } from './invoice-pdfs.ts';
import type { ReservationsBench } from './stock-reservations.ts';
import type { ShopFigures } from './shop/whole-shop.ts';

type Row = {
  readonly what: string;
  /** One for each column between the operation and the goal. */
  readonly cells: readonly string[];
  readonly goal: string;
  /** Undefined without a goal. */
  readonly reached: boolean | undefined;
};

const markOf = (reached: boolean | undefined): string => {
  if (reached === undefined) return '';
  return reached ? 'yes' : '**no**';
};

const line = (cells: readonly string[], widths: readonly number[]): string =>
  `| ${cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0))).join(' | ')} |`;

/** As prettier formats it: operations to the left, figures to the right. */
export const markdownTable = (headings: readonly string[], rows: readonly Row[]): string => {
  const lines = rows.map(({ what, cells, goal, reached }) => [what, ...cells, goal, markOf(reached)]);
  const widths = headings.map((heading, index) => Math.max(3, heading.length, ...lines.map((cells) => cells[index]?.length ?? 0)));
  const rule = `| ${widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(headings, widths), rule, ...lines.map((cells) => line(cells, widths))].join('\n');
};

export type Everything = {
  readonly sizes: { readonly small: Size; readonly large: Size };
  readonly small: ShopFigures;
  readonly large: ShopFigures;
  readonly rebuilds: readonly Rebuilt[];
  readonly whatIf: MeasuredRebuild;
  readonly visible: TimeToVisible;
  readonly starts: Starts;
  readonly reservations: ReservationsBench;
  readonly papers: PapersBench;
};

/** The ratio to reach in the small and in the large shop. Without `isFlat` it may fall as the shop grows. */
type Goal = { readonly small: number; readonly large: number; readonly isFlat: boolean };

const same = (ratio: number): Goal => ({ small: ratio, large: ratio, isFlat: true });
const NONE: Goal = { small: 0, large: 0, isFlat: false };

const GOALS: Readonly<Record<string, Goal>> = {
  'listing, random pages of 20': same(0.6),
  'listing, with the cookies of a shopper': { small: 0.25, large: 0.25, isFlat: false },
  'listing, pages not in the cache': NONE,
  'product, random': same(0.6),
  search: { small: 0.2, large: 0.05, isFlat: false },
  'my orders': same(0.2),
  'admin orders page': same(0.2),
  'admin stats': same(0.2),
  'add to cart, ten each': same(0.2),
  'add to cart, ten each, with Idempotency-Key': { small: 0.15, large: 0.15, isFlat: false },
  'add to cart, new visitors': same(0.2),
  'whole order, new visitors': same(0.04),
  'whole order, with Idempotency-Keys': { small: 0.025, large: 0.025, isFlat: false },
  'whole order, sustained': NONE,
};

/** The share of the small shop's ratio that a flat operation must keep with a hundred times as much data. */
const FLAT = 0.8;

const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en-US')}/s`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;
const atLeast = ({ small, large, isFlat }: Goal): string => {
  if (small === 0) return '';
  const ratios = small === large ? `≥ ${small} ×` : `≥ ${small} ×, ≥ ${large} ×`;
  return isFlat ? `${ratios}, flat` : ratios;
};

const operationRow = (what: string, small: Comparison, large: Comparison): Row => {
  const goal = GOALS[what];
  if (!goal) throw new Error(`There is no goal for ${what}`);
  const isFlat = !goal.isFlat || large.ratio >= FLAT * small.ratio;
  const cells = [small, large].flatMap(({ rate, limit, ratio }) => [perSecond(rate), perSecond(limit), ratio.toFixed(3)]);
  const reached = isFlat && small.ratio >= goal.small && large.ratio >= goal.large;
  return { what, cells, goal: atLeast(goal), reached: goal === NONE ? undefined : reached };
};

const figureRow = (what: string, figures: readonly [string, string], goal: string, reached: boolean): Row => ({
  what,
  cells: [figures[0], '', '', figures[1], '', ''],
  goal,
  reached,
});

const memoryRow = ({ small, large }: Everything): Row => {
  const reached = small.memory <= 200_000_000 && large.memory <= 450_000_000;
  return figureRow(
    'memory of API and workers, at its peak',
    [megabytes(small.memory), megabytes(large.memory)],
    '≤ 200 MB, ≤ 450 MB',
    reached,
  );
};

/** Without those of which the log has no events: papers. */
const rebuildRows = ({ rebuilds }: Everything): Row[] =>
  rebuilds
    .filter(({ events }) => events > 0)
    .map(({ model, events, reading, rebuilding, ratio }) => ({
      what: `rebuild of ${model}, ${events.toLocaleString('en-US')} events`,
      cells: ['', '', '', perSecond(rebuilding), perSecond(reading), ratio.toFixed(2)],
      goal: '≥ 0.5 ×',
      reached: ratio >= 0.5,
    }));

const rebuildMemoryRow = ({ rebuilds }: Everything): Row => {
  const memory = Math.max(...rebuilds.map((each) => each.memory));
  return figureRow('memory of a rebuild, at its peak', ['', megabytes(memory)], '≤ 300 MB', memory <= 300_000_000);
};

const whatIfRow = ({ whatIf: { events, seconds } }: Everything): Row =>
  figureRow(`what-if of ${events.toLocaleString('en-US')} events`, ['', `${seconds.toFixed(1)} s`], '≤ 60 s', seconds <= 60);

const paperRows = ({ papers: { first, again } }: Everything): Row[] =>
  [['invoice as PDF, 16 connections, each once, p99', first.p99] as const, ['invoice as PDF, 16 connections, p99', again.p99] as const].map(
    ([what, p99]) => figureRow(what, [`${p99.toFixed(0)} ms`, ''], '≤ 150 ms', p99 <= 150),
  );

const reservationRows = ({ reservations: { rate, limit, ratio, p99 } }: Everything): Row[] => [
  {
    what: 'reservations of one perfume, 16 callers',
    cells: [perSecond(rate), perSecond(limit), ratio.toFixed(3), '', '', ''],
    goal: '≥ 0.3 ×',
    reached: ratio >= 0.3,
  },
  figureRow('a reservation of that perfume, p99', [`${p99.toFixed(1)} ms`, ''], '≤ 150 ms', p99 <= 150),
];

const otherRows = ({ visible, starts }: Everything): Row[] => [
  figureRow(
    'placed → in My Orders of another process, median / p99',
    [`${visible.median.toFixed(1)} / ${visible.p99.toFixed(1)} ms`, ''],
    'p99 ≤ 50 ms',
    visible.p99 <= 50,
  ),
  figureRow('first start of a fresh clone, installed', [`${starts.first.toFixed(1)} s`, ''], '≤ 15 s', starts.first <= 15),
  figureRow('second start', [`${starts.second.toFixed(1)} s`, ''], '≤ 2 s', starts.second <= 2),
  figureRow('packages installed', [String(starts.packages), ''], '≤ 700', starts.packages <= 700),
];

/** Each figure, its limit and their ratio, in the small and in the large shop. */
export const resultRows = (everything: Everything): readonly Row[] => {
  const { small, large } = everything;
  const operations = Object.entries(small.operations).map(([what, figures]) => {
    const grown = large.operations[what];
    if (!grown) throw new Error(`${what} was measured in one shop only`);
    return operationRow(what, figures, grown);
  });
  return [
    ...operations,
    ...reservationRows(everything),
    ...paperRows(everything),
    memoryRow(everything),
    ...rebuildRows(everything),
    rebuildMemoryRow(everything),
    whatIfRow(everything),
    ...otherRows(everything),
  ];
};
