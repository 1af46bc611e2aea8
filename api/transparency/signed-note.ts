import { createPrivateKey, createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';

/** A text that is not in its format. The message says what is wrong with it. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

/** 1: Ed25519 over the note's text, as logs sign. 4: with the time before it, as witnesses sign checkpoints (cosignature/v1). */
export type NoteAlgorithm = 1 | 4;

/** `id` is eight hex digits: with the name it says which key made a signature. */
export type NoteKey = { readonly name: string; readonly id: string; readonly algorithm: NoteAlgorithm; readonly publicKey: KeyObject };
export type NoteSigner = NoteKey & { readonly privateKey: KeyObject };

/** `bytes` are the signature without the key's id. */
export type NoteSignature = { readonly name: string; readonly id: string; readonly bytes: Buffer };
/** `text` ends with a newline. */
export type SignedNote = { readonly text: string; readonly signatures: readonly NoteSignature[] };

const SEED_BYTES = 32;
/** What PKCS #8 and SPKI put before the 32 bytes of an Ed25519 key. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

const rawKey = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);

/** Decodes base64 of RFC 4648, section 4. Returns undefined for anything that would be encoded differently. */
export const decodeBase64 = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
};

const NAME = /^[^\p{White_Space}\p{Cc}+]+$/u;

const noteKey = (name: string, algorithm: NoteAlgorithm, publicKey: KeyObject): NoteKey => {
  if (!NAME.test(name)) throw new Malformed(`A key's name has neither spaces nor a plus sign: ${JSON.stringify(name)}`);
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([algorithm]), rawKey(publicKey)])).slice(0, 8);
  return { name, id, algorithm, publicKey };
};

/** Returns the same key under another name. */
export const renameKey = ({ algorithm, publicKey }: NoteKey, name: string): NoteKey => noteKey(name, algorithm, publicKey);

/** Makes a signer from the 32 bytes of an Ed25519 seed. Throws `Malformed` on another length, or on a name with spaces or a plus sign. */
export const createSigner = (name: string, seed: Uint8Array, algorithm: NoteAlgorithm = 1): NoteSigner => {
  if (seed.length !== SEED_BYTES) throw new Malformed(`A signing key has ${SEED_BYTES} bytes, not ${seed.length}`);
  const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  return { ...noteKey(name, algorithm, createPublicKey(privateKey)), privateKey };
};

/** Writes the key as a vkey: `<name>+<id>+<base64 of algorithm and key>`. */
export const formatVkey = ({ name, id, algorithm, publicKey }: NoteKey): string =>
  `${name}+${id}+${Buffer.concat([Buffer.from([algorithm]), rawKey(publicKey)]).toString('base64')}`;

/** Throws `Malformed` if the text is no vkey of an Ed25519 key. */
export const parseVkey = (vkey: string): NoteKey => {
  const [, name = '', id, encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(vkey) ?? [];
  const [algorithm, ...key] = decodeBase64(encoded) ?? [];
  if ((algorithm !== 1 && algorithm !== 4) || key.length !== SEED_BYTES) throw new Malformed(`Not the vkey of an Ed25519 key: ${vkey}`);
  const publicKey = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, Buffer.from(key)]), format: 'der', type: 'spki' });
  const parsed = noteKey(name, algorithm, publicKey);
  if (parsed.id !== id) throw new Malformed(`The id of this vkey is not that of its key: ${vkey}`);
  return parsed;
};

const TIME_BYTES = 8;

const cosignedText = (text: string, seconds: bigint): string => `cosignature/v1\ntime ${seconds}\n${text}`;

const formatSignature = ({ name, id, bytes }: NoteSignature): string =>
  `\u2014 ${name} ${Buffer.concat([Buffer.from(id, 'hex'), bytes]).toString('base64')}\n`;

/** Returns the line of a signature, with its newline. A witness's signature has a time, in seconds since 1970. */
export const signNote = (text: string, { algorithm, privateKey, ...key }: NoteSigner, seconds?: number): string => {
  if (algorithm === 1) return formatSignature({ ...key, bytes: sign(null, Buffer.from(text), privateKey) });
  if (seconds === undefined) throw new Error('A cosignature has a time');
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(seconds));
  return formatSignature({
    ...key,
    bytes: Buffer.concat([time, sign(null, Buffer.from(cosignedText(text, BigInt(seconds))), privateKey)]),
  });
};

/** Joins a text, which ends with a newline, and lines of signatures. */
export const formatNote = (text: string, signatureLines: readonly string[]): string => `${text}\n${signatureLines.join('')}`;

/** A note has at most this many signatures. */
export const MAX_SIGNATURES = 64;
const KEY_ID_BYTES = 4;

/** Parses lines of signatures, each ended by a newline. Throws `Malformed`. */
export const parseSignatures = (lines: string): readonly NoteSignature[] => {
  if (!lines.endsWith('\n')) throw new Malformed('A line of signatures is missing or not ended');
  const each = lines.slice(0, -1).split('\n');
  if (each.length > MAX_SIGNATURES) throw new Malformed(`A note has at most ${MAX_SIGNATURES} signatures`);
  return each.map((line) => {
    const [dash, name = '', encoded = '', ...more] = line.split(' ');
    const bytes = decodeBase64(encoded);
    if (dash !== '\u2014' || !NAME.test(name) || !bytes || bytes.length <= KEY_ID_BYTES || more.length > 0)
      throw new Malformed(`Not a signature: ${JSON.stringify(line)}`);
    return { name, id: bytes.toString('hex', 0, KEY_ID_BYTES), bytes: bytes.subarray(KEY_ID_BYTES) };
  });
};

/** Throws `Malformed` if the text is no signed note. Signatures are not verified. */
export const parseNote = (note: string): SignedNote => {
  // eslint-disable-next-line no-control-regex
  if (/[\0-\x09\x0b-\x1f]|\p{Surrogate}/u.test(note)) throw new Malformed('A note has no control characters but newlines');
  const end = note.lastIndexOf('\n\n');
  if (end < 0) throw new Malformed('A note has an empty line before its signatures');
  return { text: note.slice(0, end + 1), signatures: parseSignatures(note.slice(end + 2)) };
};

/** What a signature of a key says: `invalid`, or that it is valid, with the time, in seconds since 1970, that a witness gives. */
export type SignatureVerdict = 'invalid' | { readonly seconds?: number };

const SIGNATURE_BYTES = 64;
/** The last second of the year 9999. Verifiers refuse receipts with later ones, such as times in milliseconds. */
const LAST_SECOND = 253_402_300_799n;

const verifySignature = (text: string, { bytes }: NoteSignature, { algorithm, publicKey }: NoteKey): SignatureVerdict => {
  if (bytes.length !== SIGNATURE_BYTES + (algorithm === 4 ? TIME_BYTES : 0)) return 'invalid';
  if (algorithm === 1) return verify(null, Buffer.from(text), publicKey, bytes) ? {} : 'invalid';
  const seconds = bytes.readBigUInt64BE();
  const isValid = seconds <= LAST_SECOND && verify(null, Buffer.from(cosignedText(text, seconds)), publicKey, bytes.subarray(TIME_BYTES));
  return isValid ? { seconds: Number(seconds) } : 'invalid';
};

/** Returns undefined if the key did not sign, and `invalid` if one of the signatures under its name and id is not its own. */
export const verifyNote = ({ text, signatures }: SignedNote, key: NoteKey): SignatureVerdict | undefined => {
  const verdicts = signatures.filter(({ name, id }) => name === key.name && id === key.id).map((each) => verifySignature(text, each, key));
  return verdicts.find((each) => each === 'invalid') ?? verdicts[0];
};

/** Returns the line of the key's signature, with its newline. Undefined if the key did not sign, or not all signatures under its name are its own. */
export const findSignatureLine = (note: SignedNote, key: NoteKey): string | undefined => {
  const verdict = verifyNote(note, key);
  const signature = note.signatures.find(({ name, id }) => name === key.name && id === key.id);
  return verdict === undefined || verdict === 'invalid' || !signature ? undefined : formatSignature(signature);
};
