import { sql, type Kysely } from 'kysely';

/**
 * The newest published checkpoint of each origin of the log, by the number of the origin: a signed note, null before the first one.
 * `vkey` is the key that signs under this origin; `rules` says from which size on which witnesses had to sign.
 */
const CHECKPOINTS = `create table shop.log_checkpoints (
    generation integer primary key,
    vkey text not null,
    size bigint not null default 0,
    note text,
    published_at timestamptz,
    cosigned_at timestamptz,
    rules json not null default '[]'
  )`;

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw(CHECKPOINTS).execute(db);
};
