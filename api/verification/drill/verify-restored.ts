import { readModels } from '#projections/read-models.ts';
import { readStatus } from '#projections/storage/status.ts';

import { openLogger } from '../../platform/logger.ts';
import { Resources } from '../../platform/resources.ts';
import { withClient } from '../../platform/postgres/postgres-client.ts';
import { openShop } from '../../composition/open-shop.ts';
import { runCommand, type DrillBackup } from './operator-commands.ts';
import { listDifferences, findTextsLeft } from './invariants.ts';
import { readLog } from '../journeys/log-book.ts';
import { waitUntil, type Databases, type DrillEnvironment } from './drill-environment.ts';
import { answeredIsInLog, erasedIsNowhere, modelsMatch, type InvariantResult } from '../journeys/verdicts.ts';
import { RecordedAnswers } from '../journeys/recorded-answers.ts';

const OPENS_WITHIN = 180_000;

const freshDatabase = async ({ databases, url }: Pick<DrillEnvironment, 'databases' | 'url'>): Promise<Databases> => {
  const name = 'restored';
  await withClient({ connectionString: url, application_name: 'drill' }, (owner) => owner.query(`create database ${name}`));
  const inIt = (each: string): string => {
    const changed = new URL(each);
    changed.pathname = `/${name}`;
    return changed.href;
  };
  return { databaseUrl: inIt(databases.databaseUrl), databaseMigrationUrl: inIt(databases.databaseMigrationUrl) };
};

const runForFailure = async (args: readonly string[], env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const { code, said } = await runCommand(args, env);
  return code === 0 ? [] : [`npm run ${args[0]} ended with ${code}: ${said.trim()}`];
};

/** Restores a backup into a new database, opens a shop on it, and compares that with the answers given before the backup. */
export const verifyRestored = async (
  environment: DrillEnvironment,
  { log, keys, placed }: DrillBackup,
  { erased }: RecordedAnswers,
): Promise<readonly InvariantResult[]> => {
  const databases = await freshDatabase(environment);
  const env = environment.envOf(databases);
  const unrestored = await runForFailure(['restore', log, '--keys', keys], env);
  const restoring: InvariantResult = { invariant: 'a backup that was taken under load can be restored', broken: unrestored };
  if (unrestored.length > 0) return [restoring];
  const running = environment.run('restored shop', env);
  const opened = new Resources();
  try {
    await waitUntil(async () => running.url() !== undefined, OPENS_WITHIN, 'the restored shop opens');
    const where = { dataDir: environment.dataDir, eventStoreUrl: undefined, ...databases };
    const shop = opened.with(await openShop(where, openLogger('silent')), (each) => each.close());
    const { store, read } = shop;
    const hasFollowed = async () =>
      (await Promise.all(readModels.map((model) => readStatus(model, store, read, new Date())))).every(({ lag }) => lag.events === 0);
    await waitUntil(hasFollowed, OPENS_WITHIN, 'the read models of the restored shop catch up');
    await running.end();
    const verdicts = [
      answeredIsInLog({ ...new RecordedAnswers(), placed: new Map(placed) }, await readLog(store)),
      { invariant: 'every chain is intact, up to the head of the log', broken: await runForFailure(['audit', 'verify-all'], env) },
      modelsMatch(await listDifferences(shop)),
      erasedIsNowhere(await findTextsLeft(databases.databaseMigrationUrl, erased)),
    ];
    return [restoring, ...verdicts.map(({ invariant, broken }) => ({ invariant: `restored from a backup: ${invariant}`, broken }))];
  } finally {
    await running.end();
    await opened.close();
  }
};
