import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { replay, runSimulation } from '../simulation/run-simulation.ts';
import { subjects } from '../simulation/simulate.ts';
import type { InvariantResult } from '../journeys/verdicts.ts';
import { drill, type DrillOptions, type DrillReport } from './drill.ts';
import { programIn, stores } from './drill-environment.ts';
import { flash, flashText } from './flash.ts';

const USAGE = `Usage: npm run drill -- [--seed <whole number> | --seeds <first>..<last>] [--minutes <number>] [--shoppers <whole number>] [--store ${stores.join('|')}] [--before <directory>]
       npm run drill -- --flash [--seed <whole number>] [--bottles <whole number>] [--shoppers <whole number>] [--store ${stores.join('|')}] [--before <directory>]
       npm run drill -- --simulate [--of ${subjects.join('|')}] [--seed <whole number>] [--schedules <whole number>]`;

const counts = (named: Readonly<Record<string, number>>): string =>
  Object.entries(named)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const formatReport = (report: DrillReport): string => {
  const { seed, seconds, faults, starts, answers, recorded, operator, events, placed, invoices, creditNotes, mails, healedAfter } = report;
  return [
    `Seed ${seed}, ${seconds} s`,
    `Faults      ${counts(faults)}`,
    `Starts      ${counts(starts)}`,
    `Answers     ${counts(answers)}`,
    `Shoppers    browsed ${recorded.browsed} times, added ${recorded.added} perfumes, changed ${recorded.changed} lines, were told of ${recorded.placed} orders, paid ${recorded.paid} times`,
    `            sent ${recorded.repeated} requests twice or late, tried ${recorded.triedOthers} times to see others' orders`,
    `Staff       moved ${recorded.moved} orders, changed ${recorded.repriced} perfumes, looked at the desk ${recorded.lookedAtDesk} times`,
    `Guests      ${recorded.erased} were told that they are erased`,
    `Beside it   ${operator.rebuilt} read models were rebuilt and ${operator.backups} backups taken to their end`,
    `Log         ${events} events, ${placed} orders placed, ${invoices} invoices, ${creditNotes} credit notes`,
    `Mail        ${mails.arrived} arrived, ${mails.again} of them once more`,
    `Healed      ${healedAfter.toFixed(1)} s after the last fault`,
  ].join('\n');
};

const formatVerdict = ({ invariant, broken }: InvariantResult): readonly string[] => [
  `${broken.length === 0 ? 'holds ' : 'BROKEN'}      ${invariant}`,
  ...broken.slice(0, 10).map((what) => `              ${what}`),
];

const wrong = (): never => {
  throw new Error(USAGE);
};

const wholeNumber = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : wrong());

const storeNamed = (name: string): DrillOptions['store'] => {
  const store = stores.find((each) => each === name);
  if (!store) throw new Error(USAGE);
  return store;
};

type Told = { readonly text: string; readonly verdicts: readonly InvariantResult[] };

const inNewDirectory = async (work: (dataDir: string) => Promise<Told>): Promise<number> => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ruhani-drill-'));
  const { text, verdicts } = await work(dataDir);
  console.log([text, ...verdicts.flatMap(formatVerdict)].join('\n'));
  if (verdicts.some(({ broken }) => broken.length > 0)) {
    console.log(`The output of the processes is in ${dataDir}`);
    return 1;
  }
  await rm(dataDir, { recursive: true, force: true });
  return 0;
};

const main = async (): Promise<number> => {
  const options = {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    minutes: { type: 'string', default: '1' },
    shoppers: { type: 'string' },
    bottles: { type: 'string', default: '100' },
    flash: { type: 'boolean', default: false },
    store: { type: 'string', default: 'postgres' },
    before: { type: 'string' },
    simulate: { type: 'boolean', default: false },
    of: { type: 'string', default: 'shop' },
    schedules: { type: 'string', default: '1' },
  } as const;
  const { values } = parseArgs({ options });
  const seed = wholeNumber(values.seed);
  const schedules = wholeNumber(values.schedules);
  const subject = subjects.find((each) => each === values.of) ?? wrong();
  if (values.simulate) return schedules === 1 ? replay(seed, subject) : runSimulation(seed, schedules, subject);
  const [store, shoppers] = [storeNamed(values.store), wholeNumber(values.shoppers ?? (values.flash ? '10000' : '8'))];
  const { before } = values;
  if (before !== undefined && !existsSync(programIn(before))) throw new Error(`${before} has no built shop: run npm run build in it.`);
  if (values.flash) {
    const bottles = wholeNumber(values.bottles);
    if (bottles < 2 || bottles > shoppers) throw new Error(USAGE);
    return inNewDirectory(async (dataDir) => {
      const report = await flash({ seed, store, before, bottles, shoppers, dataDir });
      return { text: flashText(report), verdicts: report.verdicts };
    });
  }
  const seconds = 60 * Number(values.minutes);
  if (!(seconds > 0)) throw new Error(USAGE);
  const [, first = seed, last = seed] = (/^(\d{1,9})\.\.(\d{1,9})$/.exec(values.seeds ?? `${seed}..${seed}`) ?? wrong()).map(Number);
  if (last < first) return wrong();
  let failed = 0;
  for (let each = first; each <= last; each++)
    failed += await inNewDirectory(async (dataDir) => {
      const report = await drill({ seed: each, seconds, shoppers, store, before, dataDir });
      return { text: formatReport(report), verdicts: report.verdicts };
    }).catch((error: unknown) => {
      console.error(`Seed ${each}:`, error);
      return 1;
    });
  if (last > first) console.log(`${failed} of ${last - first + 1} seeds failed`);
  return Math.min(failed, 1);
};

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
