import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

const LOG = [
  /** Positions have no gaps: they are assigned under the lock of this row, which is held until the commit. */
  `create table log.head (
    only_row boolean primary key default true check (only_row),
    position bigint not null,
    rolling_hash bytea not null default ''
  ) with (fillfactor = 10)`,
  `insert into log.head (position) values (0)`,

  /**
   * The columns are json, not jsonb: the hash chain covers the text as written, and writing it is cheaper. `rolling_hash` protects the
   * order of the log: SHA-256 over the previous event's rolling hash (empty before the first) and the text `position stream revision hash`,
   * where `hash` is the event's own hash in the chain of its stream.
   *
   * Events are written at the end of the table. A vacuum after inserts would offer the little free space on old pages: an event would then
   * read a random page, and log it as a whole after a checkpoint.
   */
  `create table log.events (
    position bigint primary key,
    stream text collate "C" not null,
    revision integer not null,
    event_id uuid not null,
    type text collate "C" not null,
    data json not null,
    metadata json not null,
    rolling_hash bytea,
    unique (stream, revision)
  ) with (autovacuum_vacuum_insert_threshold = -1)`,
  `create index events_by_category on log.events (split_part(stream, '-', 1), position)`,
];

/** These tables only get new rows. */
const ONLY_ADDED = [
  `create function shop.refuse_change() returns trigger language plpgsql as $refuse$
    begin
      raise exception 'rows of %.% are only ever added', tg_table_schema, tg_table_name;
    end $refuse$`,

  /** An intruder could otherwise cover their traces. */
  `create table shop.security_log (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    kind text not null,
    subject text,
    address text,
    request_id text,
    detail jsonb not null default '{}'
  )`,
  `create index security_log_of_subject on shop.security_log (subject, id) where subject is not null`,
  `create index security_log_of_kind on shop.security_log (kind, id)`,
  `create trigger only_added before update or delete or truncate on shop.security_log
    for each statement execute function shop.refuse_change()`,

  /** Order ids are made from this key: with another key, a cart that was checked out before would become a second order. */
  `create table shop.keys (
    name text primary key,
    key bytea not null check (octet_length(key) = 32),
    created_at timestamptz not null default now()
  )`,
  `create trigger only_added before update or delete or truncate on shop.keys
    for each statement execute function shop.refuse_change()`,
];

/**
 * These are rows instead of events, because secrets and personal data must be erasable. The unique index on the keyed hash of the
 * normalised address identifies an account. `personal` has e-mail, name and phone, encrypted with the key of the account.
 */
const ACCOUNTS = [
  `create table shop.users (
    id uuid primary key default gen_random_uuid(),
    address_hash bytea not null unique,
    personal bytea not null,
    password_hash text,
    provisioned_hash text,
    registration uuid not null default gen_random_uuid(),
    verified_at timestamptz,
    is_admin boolean not null default false,
    is_auditor boolean not null default false,
    disabled boolean not null default false,
    created_at timestamptz not null
  )`,
  `create table shop.identities (
    issuer text collate "C" not null,
    subject text collate "C" not null,
    user_id uuid not null references shop.users on delete cascade,
    created_at timestamptz not null,
    primary key (issuer, subject),
    unique (user_id, issuer)
  )`,
  `create table shop.codes (
    user_id uuid primary key references shop.users on delete cascade,
    code_hash bytea not null,
    tries smallint not null default 0,
    sent_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create table shop.password_resets (
    token_hash bytea primary key,
    user_id uuid not null references shop.users on delete cascade,
    expires_at timestamptz not null
  )`,
  `create index password_resets_of_user on shop.password_resets (user_id)`,

  /** A session belongs to a visitor or a user. Only the hash of its token is stored, so that reading this table gives no access. */
  `create table shop.sessions (
    token_hash bytea primary key,
    visitor_id uuid,
    user_id uuid references shop.users on delete cascade,
    created_at timestamptz not null,
    seen_at timestamptz not null,
    check ((visitor_id is null) <> (user_id is null))
  )`,
  `create index sessions_of_user on shop.sessions (user_id) where user_id is not null`,
  `create index sessions_by_last_visit on shop.sessions (seen_at)`,

  /** The table is unlogged: counters start again after a crash. Keys are hashes. */
  `create unlogged table shop.rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint)`,

  /**
   * Records which user each visitor has signed in as: a visitor's data in the log stay under the visitor's key, so an erasure of the user
   * must find them. `claimed_at` is null until all the visitor's orders are the user's.
   */
  `create table shop.visitors (
    visitor_id uuid primary key,
    user_id uuid not null references shop.users on delete cascade,
    signed_in_at timestamptz not null,
    claimed_at timestamptz
  )`,
  `create index visitors_of_user on shop.visitors (user_id)`,

  /**
   * The table has encrypted responses by `Idempotency-Key`, and the requests under way. Rows are deleted with their session, so that
   * nothing of a shopper remains after signing out or erasure. Keys and fingerprints are HMACs, because a body may contain a password.
   * `stream` is the order that a response to staff shows, since the response is forgotten when its shopper is erased; null for responses
   * about the session's own.
   */
  `create table shop.kept_answers (
    session bytea not null references shop.sessions on delete cascade,
    key bytea not null,
    fingerprint bytea not null,
    command uuid not null,
    claim uuid not null,
    claimed_until timestamptz not null,
    answer bytea,
    expires_at timestamptz not null,
    stream text collate "C",
    primary key (session, key)
  )`,
  `create index kept_answers_by_expiry on shop.kept_answers (expires_at)`,
  `create index kept_answers_by_stream on shop.kept_answers (stream) where stream is not null`,
];

/** These tables have the keys of people's personal data in the log. */
const KEYS = [
  /** The key-encryption keys themselves are stored elsewhere. */
  `create table shop.key_encryption_keys (
    id text collate "C" primary key,
    is_current boolean not null,
    added_at timestamptz not null default now()
  )`,
  `create unique index one_current_key_encryption_key on shop.key_encryption_keys (is_current) where is_current`,

  /**
   * `key` is wrapped by the key-encryption key `wrapped_by`. The row of an erased subject stays, so that it never gets another key.
   * `look_at` is the time to check whether the key is still needed, since that of a visitor who never ordered is erased 30 days after their
   * last visit; null means that only an erasure removes it.
   */
  `create table shop.subject_keys (
    subject text collate "C" primary key,
    key bytea,
    created_at timestamptz not null default now(),
    erased_at timestamptz,
    wrapped_by text collate "C" references shop.key_encryption_keys,
    look_at timestamptz default now() + interval '30 days',
    check ((key is null) = (erased_at is not null)),
    constraint wrapped check ((key is null) = (wrapped_by is null)),
    constraint wrapped_key_length check (wrapped_by is null or octet_length(key) = 60)
  )`,
  `create index subject_keys_erased on shop.subject_keys (erased_at) where erased_at is not null`,
  `create index subject_keys_to_look_at on shop.subject_keys (look_at) where look_at is not null and key is not null`,

  /**
   * The table has erasures; `finished_at` is null until nothing of the user is left. A row stays for ever, without name and address, so
   * that data restored from an old backup are erased again.
   */
  `create table shop.erasures (
    user_id uuid primary key,
    subjects text[] not null,
    addresses text[] not null default '{}',
    recipient bytea not null,
    asked_at timestamptz not null,
    finished_at timestamptz
  )`,
  `create index erasures_unfinished on shop.erasures (asked_at) where finished_at is null`,
];

const MAIL = [
  /**
   * The table has the mails to be sent: one row for each cause, for ever, so that no mail is caused twice. Its content is encrypted, and
   * deleted once it is sent. Mails to a person are sent in the order of `number`, so that the newest code in a mailbox is the valid one.
   */
  `create table shop.outbox (
    id uuid primary key default gen_random_uuid(),
    cause text collate "C" not null unique,
    content bytea,
    state text not null default 'waiting' check (state in ('waiting', 'sent', 'parked')),
    attempts smallint not null default 0,
    next_attempt_at timestamptz not null,
    last_error text,
    created_at timestamptz not null,
    sent_at timestamptz,
    number bigint generated always as identity,
    recipient bytea,
    check (content is not null or state = 'sent')
  )`,
  `create index outbox_waiting on shop.outbox (next_attempt_at) where state = 'waiting'`,
  `create index outbox_waiting_for on shop.outbox (recipient, number) where state = 'waiting'`,
  `create index outbox_parked on shop.outbox (created_at) where state = 'parked'`,

  /** The mail catcher has received these mails, which are unchanged. `text` and `html` are null until somebody opens the mailbox. */
  `create table shop.caught_mail (
    id bigint generated always as identity primary key,
    message_id text not null unique,
    recipient text not null,
    sender text not null,
    subject text not null,
    text text,
    html text,
    source text not null,
    date timestamptz not null
  )`,
  /** The columns are not compressed, because they are encrypted and only a few hundred rows are kept. */
  `alter table shop.outbox alter column content set storage external`,
  `alter table shop.caught_mail alter column source set storage external`,
];

/**
 * These are rows, because they are personal and must be erasable. They are numbered as they arrive, so that lists are paged by the primary
 * key. `personal` has their texts, encrypted with the key of `subject`; they are found by the keyed hash of the address.
 */
const VISITORS_REQUESTS = [
  `create table shop.subscribers (
    id bigint generated always as identity primary key,
    address_hash bytea not null unique,
    subject text collate "C" not null,
    personal bytea not null,
    is_active boolean not null default true,
    created_at timestamptz not null,
    welcomed_at timestamptz
  )`,
  `create table shop.contact_messages (
    id bigint generated always as identity primary key,
    address_hash bytea not null,
    subject text collate "C" not null,
    personal bytea not null,
    created_at timestamptz not null
  )`,
  `create index contact_messages_of on shop.contact_messages (address_hash)`,

  /** Notices are sent in the order of their numbers. */
  `create table shop.restock_notices (
    id bigint generated always as identity primary key,
    product_id text collate "C" not null,
    address_hash bytea not null,
    subject text collate "C" not null,
    personal bytea not null,
    waiting_since integer,
    created_at timestamptz not null,
    unique (address_hash, product_id)
  )`,
  `create index restock_notices_of on shop.restock_notices (product_id, id)`,
  `create table shop.restock_levels (
    product_id text collate "C" primary key,
    level jsonb
  )`,
];

/** A snapshot of a long stream saves reading the log; any row may be deleted at any time. */
const snapshots = (table: string): string =>
  `create table shop.${table} (
    stream text primary key,
    version integer not null,
    revision integer not null,
    hash text not null,
    state json not null
  )`;

const BESIDE_THE_LOG = [
  snapshots('cart_snapshots'),
  snapshots('stock_snapshots'),

  /** The table has all order numbers ever used. */
  `create table shop.order_numbers (number text collate "C" primary key)`,

  /** These heads of streams were saved at some time: a log that was cut off or rewritten no longer matches them. */
  `create table shop.saved_heads (
    stream text collate "C" not null,
    revision integer not null,
    hash text not null,
    saved_at timestamptz not null,
    primary key (stream, revision)
  )`,

  /**
   * Each reaction has a checkpoint and a lease. `started_at` is where in the log the reaction began; an erasure raises `epoch`, so that
   * mails that the reaction made before are not queued.
   */
  `create table shop.reactions (
    name text collate "C" primary key,
    position numeric(20) not null default 0,
    event_id text not null default '',
    holder text,
    held_until timestamptz,
    stream text collate "C",
    revision integer,
    started_at numeric(20) not null default 0,
    epoch integer not null default 0,
    categories text[] not null default '{}',
    handles text[] not null default '{}'
  ) with (fillfactor = 10)`,
  `create table shop.postponed_reactions (
    reaction text collate "C" not null references shop.reactions,
    stream text collate "C" not null,
    position numeric(20) not null,
    attempts integer not null,
    next_attempt_at timestamptz not null,
    error text not null,
    primary key (reaction, stream, position)
  )`,

  /** The table has the links of the embedded test gateway, with their payments and refunds. It is empty where payments are real. */
  `create table shop.test_payment_links (
    id text collate "C" primary key,
    serial bigint generated always as identity unique,
    reference text collate "C" not null,
    reference_id text collate "C" not null unique,
    number text not null,
    amount bigint not null,
    status text not null,
    return_to text not null,
    expires_at timestamptz,
    created_at timestamptz not null,
    payments jsonb not null default '[]'
  )`,
  `create index test_payment_links_by_payment on shop.test_payment_links using gin (payments jsonb_path_ops)`,
];

/** Creates all tables of the schemas `log` and `shop`; later migrations change them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [...LOG, ...ONLY_ADDED, ...ACCOUNTS, ...KEYS, ...MAIL, ...VISITORS_REQUESTS, ...BESIDE_THE_LOG];
  for (const statement of statements) await sql.raw(statement).execute(db);
  // A migration makes the key, because it runs once, whichever process starts first.
  await sql`insert into shop.keys (name, key) values ('order ids', ${randomBytes(32)})`.execute(db);
};
