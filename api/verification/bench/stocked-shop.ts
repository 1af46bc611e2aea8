import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

import { passwordHashing } from '../../accounts/passwords/password-hashing.ts';
import { ADMIN_PASSWORD_FILE } from '../../composition/admin-password.ts';
import { browser, type Browser } from '../../accounts/testing/browser.ts';
import { openKeyring } from '../../event-store/encryption/keyring.ts';
import { createSealedRows } from '../../event-store/encryption/sealed-rows.ts';
import { postgresSubjectKeys } from '../../event-store/postgres/postgres-subject-keys.ts';
import type { EmailAddress } from '../../platform/email-address.ts';
import { openEmbeddedPostgres } from '../../platform/postgres/embedded-postgres.ts';
import { Resources } from '../../platform/resources.ts';
import { writeHistory } from './samples/sample-log.ts';
import { startShop } from './shop-server.ts';

type Size = { readonly products: number; readonly orders: number };

export type StockedShop = {
  readonly url: string;
  readonly dataDir: string;
  /** With orders, and signed in. */
  readonly shoppers: readonly Browser[];
  readonly admin: Browser;
};

const ACCOUNTS = 32;
const ORDERS_EACH = 10;
const PASSWORD = 'amber and vetiver';
const createEmail = (account: number): EmailAddress => `shopper-${account}@example.com` as EmailAddress;

const MAKE_ACCOUNTS = `insert into shop.users (id, address_hash, personal, password_hash, verified_at, created_at)
  select id, address_hash, personal, $4, now(), now() from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as made (id, address_hash, personal)`;

/** Makes the accounts of these users, whose keys exist already if they have orders. */
const makeAccounts = async (connectionString: string, ids: readonly string[], dataDir: string): Promise<void> => {
  const pool = new pg.Pool({ connectionString });
  try {
    const { hashOf, seal } = createSealedRows(postgresSubjectKeys(pool, await openKeyring(pool, { dataDir })));
    const hashes = await Promise.all(ids.map((_, account) => hashOf(createEmail(account))));
    const personal = await Promise.all(
      ids.map((id, account) => seal('users', id, { email: createEmail(account), name: 'Meera Nair', phone: '' })),
    );
    await pool.query(MAKE_ACCOUNTS, [ids, hashes, personal, await passwordHashing().hash(PASSWORD)]);
  } finally {
    await pool.end();
  }
};

const signIn = async (url: string, email: string, password = PASSWORD): Promise<Browser> => {
  const at = browser(url);
  const { status, body } = await at.post('/api/user/login', { email, password });
  if (status !== 200) throw new Error(`Signing in was answered ${status} ${JSON.stringify(body)}`);
  return at;
};

const signInAsAdmin = async (url: string, dataDir: string): Promise<Browser> => {
  const password = (await readFile(path.join(dataDir, ADMIN_PASSWORD_FILE), 'utf8')).trim();
  return signIn(url, 'admin@ruhani.example', password);
};

const signInAll = async (url: string, dataDir: string): Promise<Pick<StockedShop, 'shoppers' | 'admin'>> => {
  const shoppers: Browser[] = [];
  for (let account = 0; account < ACCOUNTS; account++) shoppers.push(await signIn(url, createEmail(account)));
  return { shoppers, admin: await signInAsAdmin(url, dataDir) };
};

/** Waits until all read models are built. */
const ready = async (url: string): Promise<void> => {
  for (;;) {
    const answer = await fetch(`${url}/readyz`);
    await answer.arrayBuffer();
    if (answer.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** Selects the tables that autovacuum would process because they were filled. */
const GROWN = `select string_agg(oid::regclass::text, ', ') as tables from pg_class
  where relkind = 'r' and relnamespace in ('shop'::regnamespace, 'read'::regnamespace, 'log'::regnamespace)
    and not coalesce('autovacuum_vacuum_insert_threshold=-1' = any(reloptions), false)`;

/** Vacuums and analyses the filled tables now, so that this does not happen during the measurement. */
const comeToRest = async (connectionString: string): Promise<void> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ tables: string }>(GROWN);
    await client.query(`vacuum ${rows[0]?.tables}`);
    await client.query('analyze');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
};

/** Opens a shop in `dataDir` with a history of this size, at rest. It is started once before, to create its tables. `opened` stops it. */
export const openStockedShop = async (dataDir: string, { products, orders }: Size, opened: Resources): Promise<StockedShop> => {
  const first = new Resources();
  await startShop(dataDir, first, { seed: 'none' }).finally(first.close);
  const { url: connectionString } = opened.with(await openEmbeddedPostgres({ dataDir }), (postgres) => postgres.close());
  const shoppers = Array.from({ length: Math.max(ACCOUNTS, Math.ceil(orders / ORDERS_EACH)) }, () => crypto.randomUUID());
  await writeHistory(connectionString, { products, orders, shoppers }, { dataDir });
  // The first shoppers have accounts.
  await makeAccounts(connectionString, shoppers.slice(0, ACCOUNTS), dataDir);
  const url = await startShop(dataDir, opened, { seed: 'none' });
  await ready(url);
  await comeToRest(connectionString);
  return { url, dataDir, ...(await signInAll(url, dataDir)) };
};
