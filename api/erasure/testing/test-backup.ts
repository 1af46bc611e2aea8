import pg from 'pg';

/** A backup has all rows of the shop: log, accounts and read models. */
export type Backup = { restore(): Promise<void> };

const SCHEMAS = ['log', 'shop', 'read'];

/** Works like a dump: rows are read in one snapshot, and replace the current ones when restored. */
export const takeBackup = async (databaseUrl: string): Promise<Backup> => {
  const onDatabase = async (work: (client: pg.Client) => Promise<void>): Promise<void> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query('begin isolation level repeatable read');
      await work(client);
      await client.query('commit');
    } finally {
      await client.end();
    }
  };
  const tables: { readonly name: string; readonly copy: string }[] = [];
  await onDatabase(async (client) => {
    await client.query('create schema backup');
    const { rows } = await client.query<{ name: string; copy: string }>(
      `select format('%I.%I', table_schema, table_name) as name, format('backup.%I', table_schema || '_' || table_name) as copy
       from information_schema.tables where table_schema = any($1)`,
      [SCHEMAS],
    );
    for (const { name, copy } of rows) {
      await client.query(`create table ${copy} as table ${name}`);
      tables.push({ name, copy });
    }
  });
  return {
    restore: () =>
      onDatabase(async (client) => {
        // Triggers and foreign keys are off, as when a dump is restored.
        await client.query('set session_replication_role = replica');
        await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
        for (const { name, copy } of tables) await client.query(`insert into ${name} overriding system value table ${copy}`);
        await client.query('drop schema backup cascade');
      }),
  };
};
