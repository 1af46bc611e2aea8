import { sql, type Selectable } from 'kysely';
import PostalMime, { type Address, type Email } from 'postal-mime';

import type { ShopDatabase, ShopTables } from '../shop-tables.ts';

type Parts = { readonly db: ShopDatabase; readonly now: () => Date };

type Row = Selectable<ShopTables['caught_mail']>;
/** A mail as it came, and what is read in it. */
export type CaughtMail = Omit<Row, 'text' | 'html'> & { readonly text: string; readonly html: string };

/** The newest so many mails are kept; those before go a number at a time. */
const KEPT = 500;
const GO_AFTER = 50;

const named = (addresses: readonly Address[] = []): string =>
  addresses.map(({ name, address = '' }) => (name ? `${name} <${address}>` : address)).join(', ');

/** Postgres takes every character but this one. */
const storable = (text: string): string => text.replaceAll('\0', '');

const END_OF_HEAD = '\r\n\r\n';
/** Only the head of a mail is read before somebody opens the mailbox: it is a fraction of the work. */
const headIn = (source: Buffer): Promise<Email> => {
  const end = source.indexOf(END_OF_HEAD);
  return PostalMime.parse(end < 0 ? source : source.subarray(0, end + END_OF_HEAD.length));
};

const rowOf = (head: Email, source: Buffer, now: Date) => {
  const date = new Date(head.date ?? now);
  return {
    message_id: storable(head.messageId ?? `<${crypto.randomUUID()}@without.id>`),
    recipient: storable(named(head.to)),
    sender: storable(named(head.from ? [head.from] : [])),
    subject: storable(head.subject ?? ''),
    source: storable(source.toString('utf8')),
    date: Number.isNaN(date.getTime()) ? now : date,
  };
};

const deleteOldest = (db: ShopDatabase) =>
  db
    .deleteFrom('caught_mail')
    .where('id', '<=', ({ selectFrom }) => selectFrom('caught_mail').select('id').orderBy('id', 'desc').offset(KEPT).limit(1))
    .execute();

/** Keeps mails, but for those of whose Message-ID there is one: they were sent twice, and received once. The oldest go now and then. */
export const keepMails = ({ db, now }: Parts): ((sources: readonly Buffer[]) => Promise<void>) => {
  let come = 0;
  return async (sources) => {
    const rows = await Promise.all(sources.map(async (source) => rowOf(await headIn(source), source, now())));
    const column = <Name extends keyof (typeof rows)[number]>(name: Name) => rows.map((row) => row[name]);
    await sql`insert into shop.caught_mail (message_id, recipient, sender, subject, source, date)
      select * from unnest(${column('message_id')}::text[], ${column('recipient')}::text[], ${column('sender')}::text[],
        ${column('subject')}::text[], ${column('source')}::text[], ${column('date')}::timestamptz[])
      on conflict (message_id) do nothing`.execute(db);
    come += rows.length;
    if (come < GO_AFTER) return;
    come = 0;
    await deleteOldest(db);
  };
};

/** So many are read at a time. */
const READ_AT_ONCE = 50;

/** What nobody can make sense of is shown as it came. */
const contentsOf = async ({ id, source }: Pick<Row, 'id' | 'source'>) => {
  const mail = await PostalMime.parse(source).catch(() => ({ text: source, html: '' }));
  return { id, text: storable(mail.text ?? ''), html: storable(mail.html ?? '') };
};

/** Reads what nobody has read yet, and keeps what it says. */
const readAll = async (db: ShopDatabase): Promise<void> => {
  for (let unread: number = READ_AT_ONCE; unread === READ_AT_ONCE;) {
    const rows = await db
      .selectFrom('caught_mail')
      .select(['id', 'source'])
      .where((is) => is.or([is('text', 'is', null), is('html', 'is', null)]))
      .limit(READ_AT_ONCE)
      .execute();
    const read = await Promise.all(rows.map(contentsOf));
    await sql`update shop.caught_mail set text = read.text, html = read.html
      from unnest(${read.map(({ id }) => id)}::bigint[], ${read.map(({ text }) => text)}::text[], ${read.map(({ html }) => html)}::text[])
        as read (id, text, html)
      where caught_mail.id = read.id`.execute(db);
    unread = rows.length;
  }
};

/** All mails that are kept, newest first. */
export const allMails = async (db: ShopDatabase): Promise<readonly Omit<CaughtMail, 'source'>[]> => {
  await readAll(db);
  const rows = await db
    .selectFrom('caught_mail')
    .select(['id', 'message_id', 'recipient', 'sender', 'subject', 'text', 'html', 'date'])
    .orderBy('id', 'desc')
    .limit(KEPT)
    .execute();
  // One that has come this very moment is read next time.
  return rows.flatMap(({ text, html, ...mail }) => (text === null || html === null ? [] : [{ ...mail, text, html }]));
};

/** What lists show of the newest mails. */
export const newestMails = (db: ShopDatabase, limit: number): Promise<Pick<Row, 'id' | 'recipient' | 'subject' | 'date'>[]> =>
  db.selectFrom('caught_mail').select(['id', 'recipient', 'subject', 'date']).orderBy('id', 'desc').limit(limit).execute();

/** The mail with this id. */
export const oneMail = async (db: ShopDatabase, id: string): Promise<CaughtMail | undefined> => {
  const row = await db.selectFrom('caught_mail').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const { text, html } = row;
  return { ...row, ...(text === null || html === null ? await contentsOf(row) : { text, html }) };
};
