import { createHmac } from 'node:crypto';

import { ERASED, isLost, UNREADABLE } from '#domain/event-store.ts';
import { shippingFields } from '#domain/order/checkout.ts';

import { decrypt, encrypt } from '../../platform/aes-gcm.ts';
import type { EmailAddress } from '../../platform/email-address.ts';
import { DAMAGED, SubjectErased, type JoinedSubjectKeys, type SubjectKey } from './subject-keys.ts';

/** Tables whose rows have personal texts, and the names of these texts. */
const TEXTS = {
  users: ['name', 'email', 'phone'],
  subscribers: ['email'],
  contact_messages: ['name', 'email', 'phone', 'message'],
  restock_notices: ['email'],
  addresses: shippingFields,
  second_factors: ['secret'],
  email_changes: ['email'],
  former_emails: ['email'],
  staff_invitations: ['email'],
} as const;

export type SealedTable = keyof typeof TEXTS;
/** The e-mail of an address is no account's: it is stored as typed, and may be blank. */
export type Texts<Table extends SealedTable> = {
  readonly [Name in (typeof TEXTS)[Table][number]]: Table extends 'addresses' ? string : Name extends 'email' ? EmailAddress : string;
};

type HasEmail = { readonly email: EmailAddress };

/** `personal` has the texts of a row, encrypted with the key of `subject`. */
export type SealedTexts = { readonly subject: string; readonly personal: Buffer };

/** These columns of a row belong to an address without an account. */
export type SealedByAddress = SealedTexts & { readonly address_hash: Buffer };

/**
 * Encrypts personal texts in rows with the key of their person, as events are. Rows are found by a keyed hash of the address. The key of the
 * hash is stored among the subject keys, so that a database or a backup without its keys reveals no text and cannot compute a hash.
 */
export type SealedRows = {
  /** Returns the hash by which the rows of an address are found. */
  hashOf(address: EmailAddress): Promise<Buffer>;
  /**
   * Returns the subject of an address. After an erasure an address gets another subject, because an erased key is never made again: a person
   * may come back.
   */
  subjectOf(address: EmailAddress): Promise<string>;
  /** Throws `SubjectErased`. */
  seal<Table extends SealedTable>(table: Table, subject: string, texts: Texts<Table>): Promise<Buffer>;
  /** Seals under the subject of the address in `texts`. */
  sealByAddress<Table extends SealedTable>(table: Table, texts: Texts<Table> & HasEmail): Promise<SealedByAddress>;
  /** Returns the row with its texts, which read `erased` if their key is gone, and `unreadable` if it is damaged. */
  open<Table extends SealedTable, Row extends SealedTexts>(table: Table, row: Row): Promise<Row & Texts<Table>>;
  openAll<Table extends SealedTable, Row extends SealedTexts>(table: Table, rows: readonly Row[]): Promise<(Row & Texts<Table>)[]>;
  /** Takes keys that were read in the same statement as the rows, so that opening these needs no other one. */
  readonly accept: JoinedSubjectKeys['accept'];
};

/** The texts could not be decrypted. No address is like this. */
export const isUnknown = ({ email }: { readonly email: string }): boolean => isLost(email);

/** The key of the hashes has this subject, which is no person. */
export const HASHES = 'hashes-of-addresses';

const createBinding = (table: SealedTable, subject: string): Buffer => Buffer.from(JSON.stringify(['row', table, subject]));

/** Only `seal` writes the texts, so their type is trusted. */
const readTexts = <Table extends SealedTable>(
  table: Table,
  { subject, personal }: SealedTexts,
  key: SubjectKey | undefined,
): Texts<Table> => {
  try {
    if (key) return JSON.parse(decrypt(key.bytes, createBinding(table, subject), personal).toString()) as Texts<Table>;
  } catch {
    // The key was lost and made again, or is damaged: the page that shows the row must not fail.
  }
  const texts: unknown = Object.fromEntries(TEXTS[table].map((name) => [name, key?.bytes === DAMAGED ? UNREADABLE : ERASED]));
  return texts as Texts<Table>;
};

export const createSealedRows = (keys: JoinedSubjectKeys): SealedRows => {
  /** Returns the first subject of this name whose key was not erased, and its key. */
  const findSubject = async (name: string): Promise<{ readonly subject: string; readonly key: SubjectKey }> => {
    for (let erased = 0; ; erased++) {
      const subject = erased === 0 ? name : `${name}-${erased}`;
      try {
        return { subject, key: await keys.keyFor(subject) };
      } catch (error) {
        if (!(error instanceof SubjectErased)) throw error;
      }
    }
  };

  /** The key is cached for ever, because no erasure erases it. */
  let hashing: Promise<SubjectKey> | undefined;
  const hashOf = async (address: EmailAddress): Promise<Buffer> => {
    hashing ??= findSubject(HASHES).then(
      ({ key }) => key,
      (error: unknown) => {
        hashing = undefined;
        throw error;
      },
    );
    return createHmac('sha256', (await hashing).bytes)
      .update(address)
      .digest();
  };
  const subjectOf = async (hash: Buffer): Promise<string> => (await findSubject(`address-${hash.toString('hex')}`)).subject;

  const seal: SealedRows['seal'] = async (table, subject, texts) => {
    const { bytes } = await keys.keyFor(subject);
    const own: Readonly<Record<string, string>> = texts;
    const named = Object.fromEntries(TEXTS[table].map((name) => [name, own[name]]));
    return encrypt(bytes, createBinding(table, subject), JSON.stringify(named));
  };

  const openAll = async <Table extends SealedTable, Row extends SealedTexts>(table: Table, rows: readonly Row[]) => {
    if (rows.length === 0) return [];
    const found = await keys.keysOf([...new Set(rows.map(({ subject }) => subject))]);
    return rows.map((row) => ({ ...row, ...readTexts(table, row, found.get(row.subject)) }));
  };

  return {
    hashOf,
    subjectOf: async (address) => subjectOf(await hashOf(address)),
    seal,
    sealByAddress: async (table, texts) => {
      const address_hash = await hashOf(texts.email);
      const subject = await subjectOf(address_hash);
      return { address_hash, subject, personal: await seal(table, subject, texts) };
    },
    open: async (table, row) => {
      const found = await keys.keysOf([row.subject]);
      return { ...row, ...readTexts(table, row, found.get(row.subject)) };
    },
    openAll,
    accept: keys.accept,
  };
};
