import { randomBytes } from 'node:crypto';

export type SubjectKey = {
  /** 32 random bytes. */
  readonly bytes: Buffer;
  /** Milliseconds since 1970. What was encrypted earlier used another key, which was lost. */
  readonly madeAt: number;
};

/** In ms: how long a process may still use a key that another has erased. */
export const CACHED_FOR = 500;

/** The keys of people in events: erasing one erases everything encrypted with it. */
export interface SubjectKeys {
  /** Made on first use. Throws `SubjectErased` after erasure: a key is never made again. */
  keyFor(subject: string): Promise<SubjectKey>;

  /** Without erased ones and those never made. */
  keysOf(subjects: readonly string[]): Promise<ReadonlyMap<string, SubjectKey>>;

  /** Destroys the keys for good, and prevents keys for subjects that have none yet. Idempotent. */
  erase(...subjects: readonly string[]): Promise<void>;
}

/** Personal data of an erased subject were to be written. */
export class SubjectErased extends Error {
  override readonly name = 'SubjectErased';
  constructor(readonly subject: string) {
    super(`The key of subject ${subject} was erased`);
  }
}

export const newKeyBytes = (): Buffer => randomBytes(32);
