/*
 * Reads the texts of a receipt: the tlog-proof, its checkpoint with signatures, and vkeys, all as C2SP describes them. Like everything in
 * this folder it imports nothing of the shop, so that a mistake of the shop is not made again by whoever verifies.
 */

/** The first thing that is wrong with a receipt; `receipt.ts` tests in this order, `malformed` and `chain` first. */
export const refusalReasons = ['malformed', 'origin', 'key', 'signature', 'witnesses', 'inclusion', 'chain'] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** Thrown here and in `receipt.ts`, caught in `verifyReceipt` only. The message is a sentence for a person. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const malformed = (what: string): Refused => new Refused('malformed', `This is not a complete receipt: ${what}.`);

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SEXTETS = new Map([...ALPHABET].map((character, value) => [character.charCodeAt(0), value]));

/** Decodes base64 of RFC 4648, section 4. Returns undefined for any other text, also for one that an encoder would not write. */
export const decodeBase64 = (text: string): Uint8Array | undefined => {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (text.length % 4 !== 0) return undefined;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let [bits, count, at] = [0, 0, 0];
  for (let index = 0; index < text.length - padding; index += 1) {
    const sextet = SEXTETS.get(text.charCodeAt(index));
    if (sextet === undefined) return undefined;
    bits = ((bits << 6) | sextet) & 0xff_ff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[at] = bits >> count;
    at += 1;
  }
  return (bits & ((1 << count) - 1)) === 0 ? bytes : undefined;
};

export const formatHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const NUMBER = /^(?:0|[1-9]\d{0,15})$/;
const HASH_BYTES = 32;
/** A tree has at most 2 ** 63 leaves. */
const LONGEST_PROOF = 63;
/** Receipts of the largest orders are far smaller. */
const MAX_CHARACTERS = 8_000_000;

const parseNumber = (text: string, what: string): number => {
  const number = NUMBER.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) throw malformed(`${what} is not a number as it has to be written`);
  return number;
};

const parseHash = (text: string, what: string): Uint8Array => {
  const hash = decodeBase64(text);
  if (hash?.length !== HASH_BYTES) throw malformed(`${what} is not a hash`);
  return hash;
};

/** `id` is eight hex digits. `bytes` are what follows the key's id. */
export type Signature = { readonly name: string; readonly id: string; readonly bytes: Uint8Array };

/** `text` is what was signed, its three lines. */
export type Checkpoint = {
  readonly text: string;
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
  readonly signatures: readonly Signature[];
};

/** `extra` says what the leaf at `index` is made of. */
export type TlogProof = {
  readonly extra: Uint8Array;
  readonly index: number;
  readonly proof: readonly Uint8Array[];
  readonly checkpoint: Checkpoint;
};

const NAME = /^[^\p{White_Space}\p{Cc}+]+$/u;
const KEY_ID_BYTES = 4;
const MOST_SIGNATURES = 64;

const parseSignature = (line: string): Signature => {
  const [dash, name = '', encoded = '', ...more] = line.split(' ');
  const bytes = decodeBase64(encoded);
  if (dash !== '\u2014' || !NAME.test(name) || !bytes || bytes.length <= KEY_ID_BYTES || more.length > 0)
    throw malformed('a line among the signatures is none');
  return { name, id: formatHex(bytes.subarray(0, KEY_ID_BYTES)), bytes: bytes.subarray(KEY_ID_BYTES) };
};

const parseCheckpoint = (lines: readonly string[]): Checkpoint => {
  const [origin = '', size = '', root = '', blank, ...rest] = lines;
  if (origin === '' || blank !== '') throw malformed('the checkpoint does not have three lines and an empty one');
  const signatures = rest.slice(0, -1);
  if (signatures.length === 0 || signatures.length > MOST_SIGNATURES || rest.at(-1) !== '')
    throw malformed('the signatures are missing, too many or cut off');
  return {
    text: `${origin}\n${size}\n${root}\n`,
    origin,
    size: parseNumber(size, 'the size of the log'),
    root: parseHash(root, 'the root of the log'),
    signatures: signatures.map(parseSignature),
  };
};

/** Throws `Refused`. Nothing is verified yet. */
export const parseTlogProof = (text: string): TlogProof => {
  if (text.length > MAX_CHARACTERS) throw malformed('it is too large');
  const [header, extra = '', index = '', ...lines] = text.split('\n');
  const end = lines.indexOf('');
  if (header !== 'c2sp.org/tlog-proof@v1') throw malformed('it does not begin as one');
  if (!extra.startsWith('extra ') || !index.startsWith('index ')) throw malformed('the lines extra and index are not where they belong');
  if (end < 0 || end > LONGEST_PROOF) throw malformed('its proof has no end');
  const decoded = decodeBase64(extra.slice('extra '.length));
  if (!decoded) throw malformed('the line extra is not base64');
  return {
    extra: decoded,
    index: parseNumber(index.slice('index '.length), 'the place in the log'),
    proof: lines.slice(0, end).map((line) => parseHash(line, 'a line of the proof')),
    checkpoint: parseCheckpoint(lines.slice(end + 1)),
  };
};

/** An Ed25519 key: 1 signs as a log, 4 as a witness. */
export type VerifierKey = { readonly name: string; readonly id: string; readonly algorithm: 1 | 4; readonly publicKey: Uint8Array };

/** The base64 may have plus signs. */
const VKEY = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/;

/** Returns undefined if the text is no vkey of such a key. `idOf` computes an id from a name, and from the algorithm and key that follow it. */
export const parseVkey = (vkey: string, algorithm: 1 | 4, idOf: (name: string, key: Uint8Array) => string): VerifierKey | undefined => {
  const [, name = '', id = '', encoded = ''] = VKEY.exec(vkey) ?? [];
  const key = decodeBase64(encoded);
  if (!NAME.test(name) || key?.length !== HASH_BYTES + 1 || key[0] !== algorithm) return undefined;
  return idOf(name, key) === id ? { name, id, algorithm, publicKey: key.subarray(1) } : undefined;
};
