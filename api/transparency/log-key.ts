import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { Superseded } from '#projections/follower/failures.ts';

import type { Config } from '../config.ts';
import { BASE64_KEY } from '../event-store/encryption/key-encryption.ts';
import { CannotStart, getErrorCode } from '../platform/cannot-start.ts';
import { prepareDataDir, readOrCreateSecret, readSecret, replaceFile } from '../platform/data-dir.ts';
import { originNumber, parseCheckpoint, type Checkpoint } from './checkpoint.ts';
import { createSigner, Malformed, parseNote, verifyNote } from './signed-note.ts';

/** The file in DATA_DIR has the seed of the key that signs the log, as base64. */
const KEY_FILE = 'log-key';
/** The file in DATA_DIR has the note that was signed last, so that a restored database cannot make the log sign another history. */
const CHECKPOINT_FILE = 'log-checkpoint';
/** The file in DATA_DIR has the note that was published last, with the signatures of witnesses. */
const PUBLISHED_FILE = 'log-published';

/** A checkpoint with the signed note that it stands in. */
export type SignedCheckpoint = Checkpoint & { readonly note: string };

/** Throws `Malformed` if the text is no signed checkpoint. The signatures are not verified. */
export const parseSignedCheckpoint = (note: string): SignedCheckpoint => ({ ...parseCheckpoint(parseNote(note).text), note });

/** Tests whether the key with this seed has signed a checkpoint under the checkpoint's origin. */
export const isSignedBy = ({ note, origin }: SignedCheckpoint, seed: Buffer): boolean => {
  const verdict = verifyNote(parseNote(note), createSigner(origin, seed));
  return verdict !== undefined && verdict !== 'invalid';
};

/** Reads what this DATA_DIR signed last. Throws `CannotStart` if the file has something else. */
export const readSignedLast = async (dataDir: string, name = CHECKPOINT_FILE): Promise<SignedCheckpoint | undefined> => {
  const file = path.join(dataDir, name);
  try {
    return parseSignedCheckpoint(await readFile(file, 'utf8'));
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    const why = error instanceof Malformed ? 'it is no signed checkpoint' : (getErrorCode(error) ?? String(error));
    throw new CannotStart(`${file}, which has what the log signed last, cannot be used (${why}): put it back from a backup.`);
  }
};

/** Tests whether one was signed after the other: under a later origin, or for a larger tree under the same. */
export const isAhead = (one: SignedCheckpoint, other: SignedCheckpoint): boolean => {
  const [number, otherNumber] = [originNumber(one.origin), originNumber(other.origin)];
  return number > otherNumber || (number === otherNumber && one.size > other.size);
};

/** Returns the one that is ahead of all; of equal ones the first. */
export const findNewest = (checkpoints: readonly (SignedCheckpoint | undefined)[]): SignedCheckpoint | undefined =>
  checkpoints.reduce((newest, each) => (newest && !(each && isAhead(each, newest)) ? newest : each), undefined);

/**
 * Remembers what was signed last. It survives a power cut once this returns. Throws `Superseded` if another process that shares DATA_DIR has
 * signed further, and changes nothing then.
 */
export const writeSignedLast = async (dataDir: string, signed: SignedCheckpoint): Promise<void> => {
  const kept = await readSignedLast(dataDir);
  if (kept && isAhead(kept, signed))
    throw new Superseded(`The log is signed under ${kept.origin} up to ${kept.size}, beyond ${signed.size} under ${signed.origin}`);
  await replaceFile(dataDir, CHECKPOINT_FILE, signed.note);
};

/** Reads what was published last. From a damaged file nothing is taken. */
export const readPublishedLast = (dataDir: string): Promise<SignedCheckpoint | undefined> =>
  readSignedLast(dataDir, PUBLISHED_FILE).catch(() => undefined);

export const writePublishedLast = (dataDir: string, { note }: SignedCheckpoint): Promise<void> =>
  replaceFile(dataDir, PUBLISHED_FILE, note);

const toSeed = (text: string): Buffer => {
  if (!BASE64_KEY.test(text)) throw new CannotStart(`${KEY_FILE} in DATA_DIR does not hold a key of 32 bytes as base64.`);
  return Buffer.from(text, 'base64');
};

const LOST =
  'If the key is lost, move log-checkpoint away: the log then goes on with a new key under its next origin, and what was signed before stays valid.';

/** `isNewKey` says that the key was made in this very start, so that nothing was ever signed with it. */
export type LogKey = { readonly seed: Buffer; readonly isNewKey: boolean };

/**
 * Returns the seed of the key that signs the log, of `LOG_SIGNING_KEY` or DATA_DIR, where one is made if this process signs (`isSigner`).
 * Throws `CannotStart` when DATA_DIR has a signed checkpoint, but the key is missing or another one has signed it.
 */
export const openLogKey = async (
  { dataDir, logSigningKey }: Pick<Config, 'dataDir' | 'logSigningKey'>,
  isSigner: boolean,
): Promise<LogKey | undefined> => {
  if (isSigner) await prepareDataDir(dataDir);
  const last = await readSignedLast(dataDir);
  const kept = logSigningKey ? undefined : await readSecret(dataDir, KEY_FILE);
  const given = logSigningKey ?? (kept === undefined ? undefined : toSeed(kept));
  if (last && !given)
    throw new CannotStart(
      `DATA_DIR has log-checkpoint, which the log of this shop signed last, but the key that signed it is missing: put the file ${KEY_FILE} back into ${dataDir}, or set LOG_SIGNING_KEY. ${LOST}`,
    );
  if (last && given && !isSignedBy(last, given))
    throw new CannotStart(
      `The key of ${logSigningKey ? 'LOG_SIGNING_KEY' : `${KEY_FILE} in DATA_DIR`} is not the one that signed log-checkpoint in DATA_DIR: put the right key back. ${LOST}`,
    );
  if (given) return { seed: given, isNewKey: false };
  return isSigner ? { seed: toSeed(await readOrCreateSecret(dataDir, KEY_FILE, 'base64')), isNewKey: true } : undefined;
};
