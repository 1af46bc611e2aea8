import { pooledRandomBytes } from '../../platform/random-bytes.ts';

export type SubjectKey = {
  /** 32 random bytes, with which the personal fields of one subject are encrypted. */
  readonly bytes: Buffer;
  /** When it was made, in ms since 1970. What was encrypted earlier had another key, which was lost. */
  readonly madeAt: number;
};

/** For so long a process may go on using a key that another process erased, in ms. */
export const REMEMBERED_FOR = 500;

/** The keys of the people whom events tell of. Erasing a key erases all that was ever written with it. */
export interface SubjectKeys {
  /** The key of a subject, made on first use. Throws `SubjectErased` when it was erased: a key never comes back. */
  keyFor(subject: string): Promise<SubjectKey>;

  /** Those of the keys that are there; the erased and the never made are missing. */
  keysOf(subjects: readonly string[]): Promise<ReadonlyMap<string, SubjectKey>>;

  /** Destroys the keys for good, also those of subjects who have none yet. Erasing again changes nothing. */
  erase(...subjects: readonly string[]): Promise<void>;
}

/** Somebody tries to write personal data of a subject who was erased. */
export class SubjectErased extends Error {
  override readonly name = 'SubjectErased';
  constructor(readonly subject: string) {
    super(`The key of subject ${subject} was erased`);
  }
}

export const newKeyBytes = (): Buffer => pooledRandomBytes(32);
