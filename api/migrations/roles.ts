import { APPEND_NAME } from '../event-store/postgres/append-function.ts';
import { CannotStart } from '../platform/cannot-start.ts';
import { withClient } from '../platform/postgres/postgres-client.ts';

/** The key of an advisory lock, so that concurrent processes grant one after another. */
const GRANTING = 7_240_612;

/** Finds properties with which a role could give itself more permissions. */
const MIGHT = `
  select app.rolsuper or app.rolcreaterole or app.rolbypassrls or app.rolreplication
    or exists (select from pg_roles predefined
               where predefined.rolname in ('pg_write_all_data', 'pg_execute_server_program', 'pg_write_server_files')
                 and pg_has_role(app.rolname, predefined.oid, 'member'))
    or exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
               where n.nspname in ('log', 'shop') and pg_has_role(app.rolname, c.relowner, 'member'))
    or exists (select from pg_proc f join pg_namespace n on n.oid = f.pronamespace
               where n.nspname in ('log', 'shop') and pg_has_role(app.rolname, f.proowner, 'member'))
    or exists (select from pg_namespace n where n.nspname in ('log', 'shop') and pg_has_role(app.rolname, n.nspowner, 'member'))
    or exists (select from pg_database d where d.datname = current_database() and pg_has_role(app.rolname, d.datdba, 'member')) as mighty
  from pg_roles app where app.rolname = $1`;

/**
 * Finds tables of read models that the owner made while the shop had only one role: the application must be able to drop and replace them.
 */
const READ_TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'read' and c.relkind = 'r' and pg_get_userbyid(c.relowner) <> $1`;

/**
 * Finds permissions to change the log without the appending function that come from a role of which it is a member. Its own and those of
 * `public` are revoked.
 */
const CHANGES_LOG = `
  select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'log' and c.relkind in ('r', 'p')
      and has_table_privilege($1, c.oid, 'insert, update, delete, truncate, trigger, references')) as changes`;

/** Revokes first what was granted by hand. */
const grants = (role: string): string => `
  revoke all on schema log, shop from ${role}, public;
  revoke all on all tables in schema log from ${role}, public;
  grant usage on schema log, shop to ${role};
  grant select on all tables in schema log to ${role};
  grant execute on function log.${APPEND_NAME} to ${role};
  grant select, insert, update, delete on all tables in schema shop to ${role};
  grant usage, select, update on all sequences in schema shop to ${role};
  revoke insert, update, delete on shop.kysely_migration, shop.kysely_migration_lock from ${role};
  create schema if not exists read;
  grant usage, create on schema read to ${role};
  create extension if not exists pg_trgm schema public`;

/**
 * Lets the application's role read the log, append only through its function, change rows of schema `shop`, and own the read models.
 * `ownerUrl` belongs to the owner of the migrated schemas `log` and `shop`. Many processes may call it at once, at every start. Throws
 * `CannotStart` when the role could give itself more permissions.
 */
export const grantToApplication = (ownerUrl: string, role: string): Promise<void> =>
  withClient({ connectionString: ownerUrl, application_name: 'migrations' }, async (owner) => {
    const { rows: mights } = await owner.query<{ mighty: boolean }>(MIGHT, [role]);
    if (mights[0]?.mighty !== false)
      throw new CannotStart(
        `The role ${role} of DATABASE_URL can give itself every right: make one that owns nothing, as api/deploy/README.md says.`,
      );
    await owner.query('begin');
    await owner.query('select pg_advisory_xact_lock($1)', [GRANTING]);
    await owner.query(grants(owner.escapeIdentifier(role)));
    const { rows: left } = await owner.query<{ changes: boolean }>(CHANGES_LOG, [role]);
    if (left[0]?.changes !== false)
      throw new CannotStart(
        `The role ${role} of DATABASE_URL may change the log through another role that it is a member of: take it out of that one.`,
      );
    const { rows: tables } = await owner.query<{ name: string }>(READ_TABLES, [role]);
    for (const { name } of tables) await owner.query(`alter table ${name} owner to ${owner.escapeIdentifier(role)}`);
    await owner.query('commit');
  });
