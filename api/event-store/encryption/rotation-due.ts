import type pg from 'pg';
import type { Logger } from 'pino';

import { CannotStart } from '../../platform/cannot-start.ts';
import type { KeyConfig } from './keyring.ts';
import { rotateKeys } from './rotate-keys.ts';

/**
 * An erased key remains, wrapped, in free space of the table, in WAL files and in older backups of keys, until the key-encryption key that
 * wrapped it is destroyed. A key-encryption key that is not current belongs to a rotation that was interrupted.
 */
const DUE = `
  select exists (select from shop.key_encryption_keys where not is_current)
    or exists (select from shop.key_encryption_keys current
               where is_current and added_at <= now() - make_interval(days => $1)
                 and exists (select from shop.subject_keys where erased_at >= current.added_at)) as is_due`;

/** Returns whether a key was erased under a key-encryption key of this age. */
export const isRotationDue = async (db: Pick<pg.Pool, 'query'>, days: number): Promise<boolean> => {
  const { rows } = await db.query<{ is_due: boolean }>(DUE, [days]);
  return rows[0]?.is_due === true;
};

/** Tells what to do about a key in the environment, which the shop cannot replace itself. */
export const ROTATE_BY_HAND =
  'A rotation of KEY_ENCRYPTION_KEY is due: keys that were erased since the last one could still be decrypted in older backups. See npm run keys -- rotate';

type Parts = {
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly connectionString: string;
  readonly config: KeyConfig;
  readonly days: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
};

/** Replaces the generated key in DATA_DIR if that is due. Says so if the key comes from the environment. */
export const rotateWhenDue = async ({ pool, connectionString, config, days, log }: Parts): Promise<void> => {
  if (!(await isRotationDue(pool, days))) return;
  if (config.keyEncryptionKey) {
    log.warn(ROTATE_BY_HAND);
    return;
  }
  try {
    const rotated = await rotateKeys(connectionString, config);
    log.info(rotated, 'The key-encryption key was replaced. Take a new backup of the keys, and destroy older ones');
  } catch (error) {
    // Another process does it.
    if (!(error instanceof CannotStart)) throw error;
    log.info({ why: error.message }, 'The key-encryption key was not replaced');
  }
};
