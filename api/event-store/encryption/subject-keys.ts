import { randomBytes } from 'node:crypto';

export type SubjectKey = {
  readonly bytes: Buffer;
  /** The time is in ms since 1970. Everything that was encrypted earlier used another key, which was lost. */
  readonly madeAt: number;
};

/**
 * Are the bytes of a key that does not decrypt: only the texts of its subject are then unreadable, and not the pages that contain them.
 */
export const DAMAGED = Buffer.alloc(0);

/** A process may use a key for this many ms after another process has erased it. */
export const CACHED_FOR = 500;

/** People's personal data in events are encrypted with these keys. Erasing a key erases everything encrypted with it. */
export interface SubjectKeys {
  /** Returns the key, which is made on first use. Throws `SubjectErased` after an erasure: a key is never made again. */
  keyFor(subject: string): Promise<SubjectKey>;

  /** Returns the keys, without those that were erased or never made. */
  keysOf(subjects: readonly string[]): Promise<ReadonlyMap<string, SubjectKey>>;

  /** Destroys the keys for ever, and prevents keys for subjects that have none yet. Idempotent. */
  erase(...subjects: readonly string[]): Promise<void>;
}

/** A key as `shop.subject_keys` has it; `key` is null for an erased one. */
export type WrappedKey = {
  readonly subject: string;
  readonly key: Buffer | null;
  readonly wrapped_by: string | null;
  readonly created_at: Date;
};

/** Also takes keys that were read by others, in one statement with the rows that they decrypt. */
export interface JoinedSubjectKeys extends SubjectKeys {
  /** Decrypts these keys, so that they are not queried. `asked` is the time before the statement, of `performance.now()`. */
  accept(keys: readonly WrappedKey[], asked: number): Promise<void>;
}

/** Personal data of an erased subject were to be written. */
export class SubjectErased extends Error {
  override readonly name = 'SubjectErased';
  constructor(readonly subject: string) {
    super(`The key of subject ${subject} was erased`);
  }
}

export const newKeyBytes = (): Buffer => randomBytes(32);
