import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { drill, type Report } from './drill.ts';

const USAGE = 'Usage: npm run drill -- [--seed <whole number>] [--minutes <number>] [--shoppers <whole number>]';

const counts = (named: Readonly<Record<string, number>>): string =>
  Object.entries(named)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const textOf = ({ seed, seconds, faults, starts, answers, witnessed, events, placed, mails, healedAfter, verdicts }: Report): string =>
  [
    `Seed ${seed}, ${seconds} s`,
    `Faults      ${counts(faults)}`,
    `Starts      ${counts(starts)}`,
    `Answers     ${counts(answers)}`,
    `Shoppers    looked around ${witnessed.browsed} times, added ${witnessed.added} perfumes, were told of ${witnessed.placed} orders; staff moved ${witnessed.moved}`,
    `Log         ${events} events, ${placed} orders placed`,
    `Mail        ${mails.arrived} arrived, ${mails.again} of them once more`,
    `Healed      ${healedAfter.toFixed(1)} s after the last fault`,
    ...verdicts.flatMap(({ invariant, broken }) => [
      `${broken.length === 0 ? 'holds ' : 'BROKEN'}      ${invariant}`,
      ...broken.slice(0, 10).map((what) => `              ${what}`),
    ]),
  ].join('\n');

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new Error(USAGE);
  return Number(text);
};

const main = async (): Promise<number> => {
  const options = {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1' },
    shoppers: { type: 'string', default: '8' },
  } as const;
  const { values } = parseArgs({ options });
  const seconds = 60 * Number(values.minutes);
  if (!(seconds > 0)) throw new Error(USAGE);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ruhani-drill-'));
  const program = ['--enable-source-maps', path.resolve('.build/server/main.js')];
  const report = await drill({ seed: wholeNumber(values.seed), seconds, shoppers: wholeNumber(values.shoppers), program, dataDir });
  console.log(textOf(report));
  if (report.verdicts.some(({ broken }) => broken.length > 0)) {
    console.log(`What the processes said is in ${dataDir}`);
    return 1;
  }
  await rm(dataDir, { recursive: true, force: true });
  return 0;
};

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
