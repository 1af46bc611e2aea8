import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

import { pause } from '#projections/pause.ts';

import { CannotStart, codeOf } from '../infrastructure/cannot-start.ts';
import { withClient } from '../infrastructure/postgres-client.ts';
import { syncDirectory } from '../infrastructure/data-dir.ts';
import { keyEncryptionKey, unwrapKey, wrapKey, type KeyEncryptionKey, type Keyring } from '../event-store/key-encryption.ts';
import { KEY_FILE, keyMadeIn, NEXT_KEY_FILE, openKeyring, registeredKeys, type KeyConfig } from '../event-store/keyring.ts';

const BATCH = 1_000;

type Row = { subject: string; key: Buffer; wrapped_by: string | null };

const NEXT_BATCH = `select subject, key, wrapped_by from shop.subject_keys
  where subject > $1 and key is not null and wrapped_by is distinct from $2 order by subject limit ${BATCH}`;
/** Only where the old key still stands: what was erased meanwhile stays erased. */
const REPLACE = `update shop.subject_keys as kept set key = new.key, wrapped_by = $4
  from unnest($1::text[], $2::bytea[], $3::bytea[]) as new (subject, old, key) where kept.subject = new.subject and kept.key = new.old`;

/**
 * Wraps with `to` every key that is not, in batches of a thousand, each a commit: it may break off at any of them and be begun again, and
 * run twice at once. A key that is not wrapped at all is one from before keys were.
 */
const rewrapAll = async (
  db: Pick<pg.ClientBase, 'query'>,
  keyring: Pick<Keyring, 'find'>,
  to: KeyEncryptionKey,
  onProgress: (keys: number) => void = () => {},
): Promise<number> => {
  let count = 0;
  for (let after = ''; ;) {
    const { rows } = await db.query<Row>(NEXT_BATCH, [after, to.id]);
    const last = rows.at(-1);
    if (!last) return count;
    const wrapped = rows.map(({ subject, key, wrapped_by }) =>
      wrapKey(to, subject, wrapped_by === null ? key : unwrapKey(keyring, wrapped_by, subject, key)),
    );
    await db.query(REPLACE, [rows.map(({ subject }) => subject), rows.map(({ key }) => key), wrapped, to.id]);
    onProgress((count += rows.length));
    after = last.subject;
  }
};

/** Names the lock under which all keys are wrapped anew. */
const LOCK = `hashtext('shop.subject_keys are wrapped anew')`;
/** In milliseconds. */
const LOCK_ASKED_EVERY = 100;

/** Until the connection ends, or not at all. */
const tryLock = async (db: Pick<pg.ClientBase, 'query'>): Promise<boolean> => {
  const { rows } = await db.query<{ locked: boolean }>(`select pg_try_advisory_lock(${LOCK}) as locked`);
  return rows[0]?.locked === true;
};

const IS_VALIDATED = `select convalidated as yes from pg_constraint where conrelid = to_regclass('shop.subject_keys') and conname = 'wrapped'`;

/** Whether no key stands in this database as it is. */
const areAllWrapped = async (db: Pick<pg.ClientBase, 'query'>): Promise<boolean> => {
  const { rows } = await db.query<{ yes: boolean }>(IS_VALIDATED);
  return rows[0]?.yes === true;
};

/**
 * Wraps the keys of a database of an older release, which kept them unwrapped, and has their old rows overwritten. When several processes
 * start at once, one does it and the others wait. `ownerUrl` is that of the role that owns the table: another may neither vacuum nor alter it.
 */
export const wrapRawKeys = (ownerUrl: string, keyring: Keyring): Promise<void> =>
  withClient({ connectionString: ownerUrl, application_name: 'shop' }, async (client) => {
    if (await areAllWrapped(client)) return;
    // Asked for now and then: while a query waits for a lock, vacuum leaves what that query could still see.
    for (; !(await tryLock(client)); await pause(LOCK_ASKED_EVERY)) if (await areAllWrapped(client)) return;
    if (await areAllWrapped(client)) return;
    await rewrapAll(client, keyring, keyring.current());
    // What an update leaves behind would hold the keys as they were for as long as its place is not needed.
    await client.query('vacuum (full) shop.subject_keys');
    await client.query('alter table shop.subject_keys validate constraint wrapped');
  });

const FOREIGN_KEY_VIOLATION = '23503';

/** Whether the others are gone: not while a key is wrapped by one of them, which a foreign key watches. */
const dropOthers = async (db: Pick<pg.ClientBase, 'query'>, { id }: KeyEncryptionKey): Promise<boolean> => {
  try {
    await db.query('delete from shop.key_encryption_keys where id <> $1', [id]);
    return true;
  } catch (error) {
    if (codeOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
    return false;
  }
};

const makeCurrent = async (client: pg.Client, { id }: KeyEncryptionKey): Promise<void> => {
  await client.query('begin');
  await client.query('update shop.key_encryption_keys set is_current = false where id <> $1 and is_current', [id]);
  await client.query(
    'insert into shop.key_encryption_keys (id, is_current) values ($1, true) on conflict (id) do update set is_current = true',
    [id],
  );
  await client.query('commit');
};

/** That of KEY_ENCRYPTION_KEY, else a new one in DATA_DIR, or the one there that an earlier rotation has not finished with. */
const nextKey = async (db: Pick<pg.ClientBase, 'query'>, { dataDir, keyEncryptionKey: bytes }: KeyConfig): Promise<KeyEncryptionKey> => {
  if (!bytes) return keyMadeIn(dataDir, NEXT_KEY_FILE);
  const key = keyEncryptionKey(bytes);
  const registered = await registeredKeys(db);
  if (registered.every(({ id }) => id === key.id))
    throw new CannotStart(
      'All keys are wrapped by KEY_ENCRYPTION_KEY. To rotate: make another one (openssl rand -base64 32), start every process with it as KEY_ENCRYPTION_KEY and with the old one as KEY_ENCRYPTION_KEY_PREVIOUS, and run this again.',
    );
  return key;
};

/** In DATA_DIR the new key takes the old one's place; a key of the environment leaves none there. */
const tidyDataDir = async ({ dataDir, keyEncryptionKey: bytes }: KeyConfig): Promise<void> => {
  const [kept, next] = [path.join(dataDir, KEY_FILE), path.join(dataDir, NEXT_KEY_FILE)];
  if (bytes) {
    await rm(kept, { force: true });
    await rm(next, { force: true });
    return;
  }
  await rename(next, kept);
  await syncDirectory(dataDir);
};

export type Rotated = { readonly id: string; readonly keys: number };

/**
 * Puts a new key-encryption key in the place of all others, beside the running shop: it becomes current, every key is wrapped anew, and
 * when none is wrapped by another one, the others are taken out of the database and of DATA_DIR. Broken off, it goes on where it was when
 * it is begun again. Throws `CannotStart` for what the operator can put right.
 */
export const rotateKeys = async (connectionString: string, config: KeyConfig, onProgress: (keys: number) => void): Promise<Rotated> => {
  const pool = new pg.Pool({ connectionString, max: 1, application_name: 'keys' });
  const rotate = async (client: pg.Client): Promise<Rotated> => {
    if (!(await tryLock(client))) throw new CannotStart('Another process is wrapping the keys anew: wait until it has finished.');
    if (!(await areAllWrapped(client)))
      throw new CannotStart('The keys of personal data are not wrapped yet: start this release of the shop once, then rotate.');
    const keyring = await openKeyring(pool, config);
    const to = await nextKey(client, config);
    await makeCurrent(client, to);
    await keyring.refresh();
    let keys = 0;
    do keys += await rewrapAll(client, keyring, to, (count) => onProgress(keys + count));
    while (!(await dropOthers(client, to)));
    await tidyDataDir(config);
    return { id: to.id, keys };
  };
  return withClient({ connectionString, application_name: 'keys' }, rotate).finally(() => pool.end());
};
