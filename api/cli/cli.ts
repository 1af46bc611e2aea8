import { once } from 'node:events';

import { parseDate } from '#domain/shared/time.ts';

import { pruneSecurityLog } from '../accounts/security-log.ts';
import { readConfig, type Config } from '../config.ts';
import { givenKeys, type KeyConfig } from '../event-store/encryption/keyring.ts';
import { CannotStart } from '../platform/cannot-start.ts';
import { openLogger } from '../platform/logger.ts';
import { Resources } from '../platform/resources.ts';
import { stopSignal } from '../platform/stop-signal.ts';
import { migrateDatabase, openShop, postgresAt, type Database } from '../composition/open-shop.ts';
import type { Shop } from '../shop.ts';
import { auditCommand } from './audit.ts';
import { backupCommand, restoreCommand } from './backup-commands.ts';
import { liveAudit } from './live-audit.ts';
import { projectionsCommand } from './projections.ts';
import { readKeptPolicy } from '../transparency/receipt-policy.ts';
import { rotateKeys } from '../event-store/encryption/rotate-keys.ts';
import { countText } from './progress-lines.ts';
import { treeCommands } from './tree-commands.ts';
import { witnessCommand } from './witness-command.ts';

type KeysDeps = {
  readonly postgres: () => Promise<string>;
  readonly config: KeyConfig;
  readonly out: (line: string) => void;
};

/** Runs `npm run keys -- rotate`. Returns the exit code. */
const keysCommand = async (args: readonly string[], { postgres, config, out }: KeysDeps): Promise<number> => {
  const [command, option, ...others] = args;
  const erasesDamaged = option === '--erase-damaged';
  if (command !== 'rotate' || (option !== undefined && !erasesDamaged) || others.length > 0) {
    out('Usage: npm run keys -- rotate [--erase-damaged]');
    out(
      'Replaces the key-encryption key by a new one, while the shop is running. A damaged key, which decrypts nothing, ends it with an error;',
    );
    out('with --erase-damaged such keys are erased.');
    return 1;
  }
  const onProgress = (count: number) => out(`${countText(count)} keys rewrapped`);
  const { id, keys, erased } = await rotateKeys(await postgres(), config, { erasesDamaged, onProgress });
  if (erased.length > 0) out(`Damaged keys were erased: ${erased.join(', ')}`);
  out(
    `All keys are wrapped by the key-encryption key ${id}; ${countText(keys)} were rewrapped. The previous one is only needed for older backups of keys.`,
  );
  if (config.keyEncryptionKey) out('KEY_ENCRYPTION_KEY_PREVIOUS can be left out from now on.');
  return 0;
};

type SecurityLogDeps = { readonly postgres: () => Promise<string>; readonly out: (line: string) => void };

/** Runs `npm run security-log -- prune --before <day>`, as the owner of the tables. Returns the exit code. */
const securityLogCommand = async (args: readonly string[], { postgres, out }: SecurityLogDeps): Promise<number> => {
  const [command, option, day = ''] = args;
  if (args.length !== 3 || command !== 'prune' || option !== '--before' || parseDate(day) === undefined) {
    out('Usage: npm run security-log -- prune --before 2026-01-31     deletes what was recorded before that day began in India');
    return 1;
  }
  const deleted = await pruneSecurityLog(await postgres(), new Date(`${day}T00:00:00+05:30`), new Date());
  out(`${countText(deleted)} rows from before ${day} were deleted from the security log, which records that they were.`);
  return 0;
};

/** `open` opens the shop for commands that need it; `database` opens only its database, and `postgres` does so as its owner. */
type Tools = {
  readonly open: () => Promise<Shop>;
  readonly database: () => Promise<Database>;
  readonly postgres: () => Promise<string>;
  readonly config: () => Config;
  readonly signal: AbortSignal;
};
type Command = (args: readonly string[], tools: Tools) => Promise<number>;

const out = (line: string): void => console.log(line);
/** Writes with backpressure, for long output. */
const send = async (lines: string): Promise<void> => {
  if (!process.stdout.write(`${lines}\n`)) await once(process.stdout, 'drain');
};
const err = (line: string): void => console.error(line);

const knownKeys = async (config: Config): Promise<ReadonlySet<string>> => new Set((await givenKeys(config)).keys());

const COMMANDS: Readonly<Record<string, Command>> = {
  projections: async (args, { open, signal }) => {
    const shop = await open();
    return projectionsCommand(args, { feed: shop.store, db: shop.read, tree: treeCommands(shop), out, signal });
  },
  backup: (args, { postgres, config }) =>
    backupCommand(args, { postgres, knownKeys: () => knownKeys(config()), isLogElsewhere: config().eventStoreUrl !== undefined, out }),
  restore: (args, { postgres, config }) =>
    restoreCommand(args, { postgres, knownKeys: () => knownKeys(config()), isLogElsewhere: config().eventStoreUrl !== undefined, out }),
  migrate: async (_, { database }) => {
    await migrateDatabase(await database(), openLogger('warn'));
    out('The tables are those of this release');
    return 0;
  },
  keys: (args, { postgres, config }) => keysCommand(args, { postgres, config: config(), out }),
  'security-log': (args, { postgres }) => securityLogCommand(args, { postgres, out }),
  witness: (args, { config, signal }) => {
    const { host, witness } = config();
    return witnessCommand(args, { host, port: witness.port, directory: witness.dir, out, signal });
  },
  audit: (args, { open, config, signal }) =>
    auditCommand(args, {
      live: async () => liveAudit(await open()),
      shopPolicy: () => readKeptPolicy(config().dataDir),
      out: send,
      err,
      signal,
    }),
};

/** Runs a command, whether or not the shop is running. Returns the exit code. */
const main = async ([name = '', ...args]: readonly string[]): Promise<number> => {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new CannotStart(`Unknown command: ${name}. Commands: ${Object.keys(COMMANDS).join(', ')}.`);
  const signal = stopSignal();
  const opened = new Resources();
  // Results are written to stdout; the log has warnings only.
  const config = (): Config => readConfig(process.env);
  const open = async (): Promise<Shop> => opened.with(await openShop(config(), openLogger('warn')), (shop) => shop.close());
  // Backups read all rows, and restores create the tables again, so both need the owner.
  const database = () => postgresAt(config(), opened, openLogger('warn'));
  const postgres = async () => (await database()).ownerUrl;
  try {
    return await command(args, { open, database, postgres, config, signal });
  } finally {
    await opened.close();
  }
};

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof CannotStart ? error.message : error);
    process.exit(1);
  },
);
