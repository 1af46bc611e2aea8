import type { Selectable } from 'kysely';
import PostalMime, { addressParser, type Attachment, decodeWords, type Address } from 'postal-mime';

import type { ShopDatabase, ShopTables } from '../platform/postgres/shop-tables.ts';
import { unnest } from '#projections/storage/prepare.ts';

type Parts = { readonly db: ShopDatabase; readonly now: () => Date };

type Row = Selectable<ShopTables['caught_mail']>;
export type CaughtMail = Omit<Row, 'text' | 'html'> & { readonly text: string; readonly html: string };

/** After every `GO_AFTER` mails, all but the newest `KEPT` are deleted. */
const KEPT = 500;
const GO_AFTER = 50;

const named = (addresses: readonly Address[] = []): string =>
  addresses.map(({ name, address = '' }) => (name ? `${name} <${address}>` : address)).join(', ');

/** Postgres stores any character but NUL. */
const storable = (text: string): string => text.replaceAll('\0', '');

/** Returns unfolded headers by lower-case name. */
const parseHead = (source: string): ReadonlyMap<string, string> => {
  const [head = ''] = source.split(/\r?\n\r?\n/, 1);
  const lines = head.replaceAll(/\r?\n(?=[ \t])/g, '').split(/\r?\n/);
  return new Map(lines.map((line) => [line.split(':', 1).join().trim().toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
};

/** The body is parsed only when the mailbox is opened, because that is most of the work. */
const createRow = (bytes: Buffer, now: Date) => {
  const source = storable(bytes.toString('utf8'));
  const head = parseHead(source);
  const date = new Date(head.get('date') ?? now);
  return {
    message_id: head.get('message-id') ?? `<${crypto.randomUUID()}@without.id>`,
    recipient: storable(named(addressParser(head.get('to') ?? ''))),
    sender: storable(named(addressParser(head.get('from') ?? ''))),
    subject: storable(decodeWords(head.get('subject') ?? '')),
    source,
    date: Number.isNaN(date.getTime()) ? now : date,
  };
};

const ROW = { message_id: 'text', recipient: 'text', sender: 'text', subject: 'text', source: 'text', date: 'timestamptz' } as const;
const COLUMNS = ['message_id', 'recipient', 'sender', 'subject', 'source', 'date'] as const;

const deleteOldest = (db: ShopDatabase) =>
  db
    .deleteFrom('caught_mail')
    .where('id', '<=', ({ selectFrom }) => selectFrom('caught_mail').select('id').orderBy('id', 'desc').offset(KEPT).limit(1))
    .execute();

/** Stores mails, except those with a stored Message-ID, which were sent twice. */
export const storeMails = ({ db, now }: Parts): ((sources: readonly Buffer[]) => Promise<void>) => {
  let come = 0;
  return async (sources) => {
    const rows = sources.map((source) => createRow(source, now()));
    await db
      .insertInto('caught_mail')
      .columns(COLUMNS)
      .expression(({ selectFrom }) =>
        selectFrom(unnest('mail', rows, ROW))
          .select(COLUMNS)
          .orderBy('place'),
      )
      .onConflict((conflict) => conflict.column('message_id').doNothing())
      .execute();
    come += rows.length;
    if (come < GO_AFTER) return;
    come = 0;
    await deleteOldest(db);
  };
};

const READ_AT_ONCE = 50;

/** A mail that cannot be parsed is shown as source. */
const parseContents = async ({ id, source }: Pick<Row, 'id' | 'source'>) => {
  const mail = await PostalMime.parse(source).catch(() => ({ text: source, html: '' }));
  return { id, text: storable(mail.text ?? ''), html: storable(mail.html ?? '') };
};

export const parseAttachments = async ({ source }: Pick<Row, 'source'>): Promise<readonly Attachment[]> =>
  (await PostalMime.parse(source).catch(() => undefined))?.attachments ?? [];

/** Stores text and HTML of mails that are not parsed yet. */
const readAll = async (db: ShopDatabase): Promise<void> => {
  for (let unread: number = READ_AT_ONCE; unread === READ_AT_ONCE;) {
    const rows = await db
      .selectFrom('caught_mail')
      .select(['id', 'source'])
      .where((is) => is.or([is('text', 'is', null), is('html', 'is', null)]))
      .limit(READ_AT_ONCE)
      .execute();
    const read = await Promise.all(rows.map(parseContents));
    await db
      .updateTable('caught_mail')
      .from(unnest('read', read, { id: 'bigint', text: 'text', html: 'text' }))
      .set(({ ref }) => ({ text: ref('read.text'), html: ref('read.html') }))
      .whereRef('caught_mail.id', '=', 'read.id')
      .execute();
    unread = rows.length;
  }
};

export const allMails = async (db: ShopDatabase): Promise<readonly Omit<CaughtMail, 'source'>[]> => {
  await readAll(db);
  const rows = await db
    .selectFrom('caught_mail')
    .select(['id', 'message_id', 'recipient', 'sender', 'subject', 'text', 'html', 'date'])
    .orderBy('id', 'desc')
    .limit(KEPT)
    .execute();
  // A mail that arrived meanwhile is parsed next time.
  return rows.flatMap(({ text, html, ...mail }) => (text === null || html === null ? [] : [{ ...mail, text, html }]));
};

export const newestMails = (db: ShopDatabase, limit: number): Promise<Pick<Row, 'id' | 'recipient' | 'subject' | 'date'>[]> =>
  db.selectFrom('caught_mail').select(['id', 'recipient', 'subject', 'date']).orderBy('id', 'desc').limit(limit).execute();

export const oneMail = async (db: ShopDatabase, id: string): Promise<CaughtMail | undefined> => {
  const row = await db.selectFrom('caught_mail').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const { text, html } = row;
  return { ...row, ...(text === null || html === null ? await parseContents(row) : { text, html }) };
};
