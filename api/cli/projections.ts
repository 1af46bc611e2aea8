import type { ReadDatabase } from '#projections/database.ts';
import type { Projector } from '#projections/engine/define-projector.ts';
import { readModels } from '#projections/read-models.ts';
import { rebuild, type OnProgress } from '#projections/engine/rebuild.ts';
import { retryParked } from '#projections/engine/retry-parked.ts';
import type { ReadableLog } from '#projections/follower/log-rewind.ts';
import { MOST_LAG_COUNTED, readStatus, type ReadModelStatus } from '#projections/storage/status.ts';
import { verify, type RowDifference } from '#projections/storage/verify.ts';

import { progressPrinter, countText } from './progress-lines.ts';
import { TREE, type TreeCommands } from './tree-commands.ts';

/** Aborting `until` stops the command early. */
export type ProjectionsDeps = {
  readonly feed: ReadableLog;
  readonly db: ReadDatabase;
  readonly out: (line: string) => void;
  readonly signal?: AbortSignal;
  readonly models?: readonly Projector[];
  /** The tree of the log, if this shop has one. */
  readonly tree?: TreeCommands | undefined;
};

const USAGE = `Usage: npm run projections -- <command>
  status               position of each read model, parked events, which process applies it
  rebuild <name>|all   builds it from the first event beside the live tables, then replaces them
  verify [name]        builds it beside the live tables and compares the two row by row
  retry [name]         applies parked events, each stream in order, after a fix`;

const printProgress = (name: string, out: (line: string) => void): OnProgress => {
  const print = progressPrinter(`${name}: `, out);
  return ({ events, position }) => print(events, position);
};

const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`;

/** `deps.tree` is there if the tree of the log is meant as well. */
type Run = (models: readonly Projector[], deps: ProjectionsDeps) => Promise<number>;

const lagText = ({ events, seconds }: ReadModelStatus['lag']): string =>
  events === 0 ? 'none' : `${events >= MOST_LAG_COUNTED ? 'at least ' : ''}${countText(events)} events, ${seconds.toFixed(1)} s`;

const statusText = (status: ReadModelStatus): string =>
  [
    `${status.model} v${status.version}`,
    status.rewound ? 'LOG REWOUND, rebuild it' : status.built ? `at ${status.position}` : 'not built yet',
    `lag ${lagText(status.lag)}`,
    `parked ${countText(status.parked.events)} events of ${countText(status.parked.streams)} streams`,
    ...(status.unknown > 0 ? [`skipped ${countText(status.unknown)} unknown events`] : []),
    status.holder ? `applied by ${status.holder}` : 'no process active',
  ].join('; ');

const status: Run = async (models, { feed, db, out, tree }) => {
  let troubled = false;
  for (const model of models) {
    const stands = await readStatus(model, feed, db, new Date());
    troubled ||= stands.rewound || stands.parked.events > 0;
    out(statusText(stands));
  }
  if (tree) {
    const { line, isTroubled } = await tree.status(lagText);
    troubled ||= isTroubled;
    out(line);
  }
  return troubled ? 1 : 0;
};

const rebuildAll: Run = async (models, { feed, db, out, tree, signal = new AbortController().signal }) => {
  for (const model of models) {
    const begun = performance.now();
    out(`${model.name}: rebuilding v${model.version} beside the live tables`);
    const position = await rebuild(model, feed, db, { signal, onProgress: printProgress(model.name, out) });
    out(`${model.name}: rebuilt up to position ${position} in ${seconds(begun)}, now live`);
  }
  if (tree) {
    const begun = performance.now();
    out(`${TREE}: rebuilding beside the live tree`);
    const size = await tree.rebuild({ signal, onProgress: progressPrinter(`${TREE}: `, out) });
    out(`${TREE}: rebuilt with ${countText(size)} events in ${seconds(begun)}, now live`);
  }
  return 0;
};

export const differenceText = ({ table, key, what }: RowDifference): string => {
  if (what === 'missing') return `  ${table} ${key}: missing from the live table`;
  if (what === 'extra') return `  ${table} ${key}: in the live table, but not in the log`;
  return `  ${table} ${key}: differs in ${what.join(', ')}`;
};

const verifyAll: Run = async (models, { feed, db, out, tree, signal = new AbortController().signal }) => {
  let differing = 0;
  for (const model of models) {
    const begun = performance.now();
    out(`${model.name}: building it beside the live tables to compare`);
    const { position, count, differences } = await verify(model, feed, db, { signal, onProgress: printProgress(model.name, out) });
    for (const difference of differences) out(differenceText(difference));
    if (count > differences.length) out(`  and ${countText(count - differences.length)} more`);
    out(
      `${model.name}: ${count === 0 ? 'matches the log' : `${countText(count)} rows differ`} at position ${position} (${seconds(begun)})`,
    );
    differing += count;
  }
  if (tree) {
    const begun = performance.now();
    out(`${TREE}: building it beside the live tree to compare`);
    const tiles = (await tree.verify({ signal, onProgress: progressPrinter(`${TREE}: `, out) })).differing;
    for (const tile of tiles) out(`  tile ${tile}: differs from the log`);
    out(`${TREE}: ${tiles.length === 0 ? 'matches the log' : `${countText(tiles.length)} tiles differ`} (${seconds(begun)})`);
    differing += tiles.length;
  }
  return differing > 0 ? 1 : 0;
};

const retryAll: Run = async (models, { feed, db, out }) => {
  let stopped = 0;
  for (const model of models) {
    let [streams, events] = [0, 0];
    for await (const { stream, applied, stoppedAt } of retryParked(model, feed, db.storage)) {
      streams++;
      events += applied;
      if (!stoppedAt) continue;
      stopped++;
      out(`  ${stream}: ${countText(applied)} applied, stopped again at position ${stoppedAt.position}: ${stoppedAt.error}`);
    }
    out(
      `${model.name}: ${streams === 0 ? 'nothing is parked' : `applied ${countText(events)} parked events of ${countText(streams)} streams`}`,
    );
  }
  return stopped > 0 ? 1 : 0;
};

type Command = { readonly run: Run; readonly named: boolean };

const COMMANDS = new Map<string, Command>([
  ['status', { run: status, named: false }],
  ['rebuild', { run: rebuildAll, named: true }],
  ['verify', { run: verifyAll, named: false }],
  ['retry', { run: retryAll, named: false }],
]);

const named = (name: string, models: readonly Projector[]): readonly Projector[] =>
  name === 'all' ? models : models.filter((model) => model.name === name);

/**
 * Runs `status | rebuild <name>|all | verify [name] | retry [name]`. Returns the exit code: 1 if a read model differs from the log, has
 * parked events or a log that was rewound, or after an error, which is printed in one line.
 */
export const projectionsCommand = async (args: readonly string[], deps: ProjectionsDeps): Promise<number> => {
  const { out, models = readModels } = deps;
  const [verb = '', name] = args;
  const command = COMMANDS.get(verb);
  if (!command || args.length > 2 || (command.named && name === undefined)) {
    out(USAGE);
    return 1;
  }
  const meant = named(name ?? 'all', models);
  const tree = name === undefined || name === 'all' || name === TREE ? deps.tree : undefined;
  if (meant.length === 0 && !tree) {
    const names = [...models.map((model) => model.name), ...(deps.tree ? [TREE] : [])];
    out(`Unknown read model: ${name}. Read models: ${names.join(', ')}`);
    return 1;
  }
  try {
    return await command.run(meant, { ...deps, tree });
  } catch (error) {
    out(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    return 1;
  }
};
