import { pooledRandomBytes } from '../../platform/random-bytes.ts';

export type SubjectKey = {
  /** 32 random bytes that encrypt the personal fields of one subject. */
  readonly bytes: Buffer;
  /** Milliseconds since 1970. Anything encrypted earlier used another key, which was lost. */
  readonly madeAt: number;
};

/** How long a process may still use a key that another process has erased, in ms. */
export const REMEMBERED_FOR = 500;

/** The keys of people mentioned in events. Erasing a key erases everything encrypted with it. */
export interface SubjectKeys {
  /** The key of a subject, made on first use. Throws `SubjectErased` after erasure: a key is never made again. */
  keyFor(subject: string): Promise<SubjectKey>;

  /** The existing keys among these; erased and never made ones are left out. */
  keysOf(subjects: readonly string[]): Promise<ReadonlyMap<string, SubjectKey>>;

  /** Destroys the keys permanently, and prevents keys for subjects that have none yet. Idempotent. */
  erase(...subjects: readonly string[]): Promise<void>;
}

/** An attempt to write personal data of an erased subject. */
export class SubjectErased extends Error {
  override readonly name = 'SubjectErased';
  constructor(readonly subject: string) {
    super(`The key of subject ${subject} was erased`);
  }
}

export const newKeyBytes = (): Buffer => pooledRandomBytes(32);
