import {
  parseEvents,
  parseNamedLeaf,
  readOrder,
  readPaper,
  type NamedLeaf,
  type ReceiptContents,
  type ReceiptEvent,
} from './receipt-contents.ts';
import {
  formatHex,
  parseTlogProof,
  parseVkey,
  Refused,
  type Checkpoint,
  type RefusalReason,
  type Signature,
  type TlogProof,
  type VerifierKey,
} from './receipt-format.ts';

/** What the verifier takes from where it runs: a browser, Node, a test. */
export type Platform = {
  readonly sha256: (bytes: Uint8Array) => Uint8Array;
  /** Tests an Ed25519 signature of 64 bytes by a public key of 32. */
  readonly isSignedBy: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;
  readonly encodeUtf8: (text: string) => Uint8Array;
  /** Throws on bytes that are not UTF-8. */
  readonly decodeUtf8: (bytes: Uint8Array) => string;
};

/** The vkeys of witnesses, and how many of them must have signed. */
export type WitnessRule = { readonly witnesses: readonly string[]; readonly quorum: number };
/** The rule that held for checkpoints of this origin with at least `from` leaves, up to where the next one begins. */
export type EarlierRule = WitnessRule & { readonly origin: string; readonly from: number };
/** Whom the verifier trusts: vkeys of logs and witnesses. A rule of `earlier`, which are in order of size, goes before that of today. */
export type ReceiptPolicy = WitnessRule & { readonly logs: readonly string[]; readonly earlier?: readonly EarlierRule[] | undefined };

/** `seconds` since 1970, as the witness said when it signed. */
export type WitnessStatement = { readonly name: string; readonly seconds: number };

/** The event is the leaf `index` of the log `origin`, which had `size` leaves and was signed with the key `keyId`. */
export type Proved = {
  readonly proved: true;
  readonly origin: string;
  readonly keyId: string;
  readonly index: number;
  readonly size: number;
  readonly witnesses: readonly WitnessStatement[];
  /** How many witnesses have to sign by now, if fewer had to when this was published, and did. */
  readonly quorumToday: number | undefined;
  readonly contents: ReceiptContents;
};
/** `message` is a sentence for a person. */
export type NotProved = { readonly proved: false; readonly reason: RefusalReason; readonly message: string };
export type Verdict = Proved | NotProved;

const concat = (...parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

const isSame = (one: Uint8Array, other: Uint8Array): boolean => one.length === other.length && one.every((byte, at) => byte === other[at]);

/** The last member of an event's metadata; what is before it was hashed. */
const CHAIN_HASH = /,"hash":"([0-9a-f]{64})"\}$/;

/** Recomputes the hash chain from the first event. Returns the last event as the leaf has it. Throws `Refused`. */
const verifyChain = (events: readonly ReceiptEvent[], { sha256, encodeUtf8 }: Platform): NamedLeaf => {
  const stream = events[0]?.stream ?? '';
  let previous = '';
  events.forEach((event, at) => {
    const [suffix, hash] = CHAIN_HASH.exec(event.metadata) ?? ['', ''];
    const metadata = `${event.metadata.slice(0, event.metadata.length - suffix.length)}}`;
    const parts = [previous, stream, String(at), event.eventId, event.type, event.data, metadata];
    const computed = formatHex(sha256(encodeUtf8(parts.map((part) => `${part.length}:${part}`).join(''))));
    if (event.stream !== stream || event.revision !== at || computed !== hash)
      throw new Refused('chain', `Event ${at + 1} in it was changed, or one before it is missing or does not belong there.`);
    previous = computed;
  });
  if (!stream.startsWith('order-')) throw new Refused('malformed', 'This is not a complete receipt: its events are not those of an order.');
  return { stream, revision: String(events.length - 1), hash: previous };
};

/** Reads the leaf from `extra`, and what it stands for. Throws `Refused`. */
const readExtra = (text: string, platform: Platform): { readonly leaf: NamedLeaf; readonly read: () => ReceiptContents } => {
  if (text.startsWith('ruhani-event/1\n')) {
    const leaf = parseNamedLeaf(text);
    return { leaf, read: () => readPaper(leaf) };
  }
  const events = parseEvents(text);
  return { leaf: verifyChain(events, platform), read: () => readOrder(events) };
};

const parseKeys = (vkeys: readonly string[], algorithm: 1 | 4, { sha256, encodeUtf8 }: Platform): readonly VerifierKey[] =>
  vkeys.map((vkey) => {
    const idOf = (name: string, key: Uint8Array): string => formatHex(sha256(concat(encodeUtf8(`${name}\n`), key)).subarray(0, 4));
    const parsed = parseVkey(vkey, algorithm, idOf);
    if (!parsed) throw new Refused('key', `A key that the receipt is verified with is not readable: ${vkey}`);
    return parsed;
  });

const signaturesOf = ({ signatures }: Checkpoint, { name, id }: VerifierKey): readonly Signature[] =>
  signatures.filter((each) => each.name === name && each.id === id);

const SIGNATURE_BYTES = 64;
const TIME_BYTES = 8;
/** The last second of the year 9999; no witness signs later. */
const LAST_SECOND = 253_402_300_799;

/** Returns the key of the log that signed. Throws `Refused`. */
const verifyLog = (checkpoint: Checkpoint, keys: readonly VerifierKey[], platform: Platform): VerifierKey => {
  const { origin, text } = checkpoint;
  const known = keys.filter(({ name }) => name === origin);
  if (known.length === 0) throw new Refused('origin', "It comes from another log than the shop's.");
  const signers = known.filter((key) => signaturesOf(checkpoint, key).length > 0);
  const [signer] = signers;
  if (!signer) throw new Refused('key', "It is not signed with a key of the shop's log.");
  const isSigned = (key: VerifierKey) => (signature: Signature) =>
    signature.bytes.length === SIGNATURE_BYTES && platform.isSignedBy(key.publicKey, platform.encodeUtf8(text), signature.bytes);
  if (!signers.every((key) => signaturesOf(checkpoint, key).every(isSigned(key))))
    throw new Refused('signature', "The log's signature does not belong to this receipt.");
  return signer;
};

/** Returns the time that a witness signed; undefined if the signature is not its own. */
const verifyCosignature = (text: string, { bytes }: Signature, key: VerifierKey, platform: Platform): number | undefined => {
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return undefined;
  const seconds = bytes.subarray(0, TIME_BYTES).reduce((time, byte) => time * 256 + byte, 0);
  const message = platform.encodeUtf8(`cosignature/v1\ntime ${seconds}\n${text}`);
  return seconds <= LAST_SECOND && platform.isSignedBy(key.publicKey, message, bytes.subarray(TIME_BYTES)) ? seconds : undefined;
};

/** Returns what the known witnesses said; each counts once. Throws `Refused`. */
const verifyWitnesses = (
  checkpoint: Checkpoint,
  keys: readonly VerifierKey[],
  quorum: number,
  platform: Platform,
): readonly WitnessStatement[] => {
  const statements = new Map<string, WitnessStatement>();
  for (const key of keys)
    for (const signature of signaturesOf(checkpoint, key)) {
      const seconds = verifyCosignature(checkpoint.text, signature, key, platform);
      if (seconds === undefined)
        throw new Refused('witnesses', `The signature of the witness ${key.name} does not belong to this receipt.`);
      statements.set(formatHex(key.publicKey), { name: key.name, seconds });
    }
  if (!(statements.size >= quorum))
    throw new Refused('witnesses', `Of the witnesses of the log, ${statements.size} signed it; ${quorum} have to.`);
  return [...statements.values()];
};

const findRule = (policy: ReceiptPolicy, { origin, size }: Checkpoint): WitnessRule =>
  policy.earlier?.findLast((rule) => rule.origin === origin && rule.from <= size) ?? policy;

const LEAF = new Uint8Array([0]);
const NODE = new Uint8Array([1]);

type Inclusion = Pick<TlogProof, 'index' | 'proof'> & { readonly size: number };

/**
 * Returns the root of the tree of `size` leaves that a proof leads to, from the hash of the leaf at `index` (RFC 9162, section 2.1.3.2).
 * Returns undefined if the proof is too long or too short.
 */
export const rootOfInclusion = (
  leaf: Uint8Array,
  { index, size, proof }: Inclusion,
  { sha256 }: Pick<Platform, 'sha256'>,
): Uint8Array | undefined => {
  const half = (value: number): number => Math.floor(value / 2);
  if (index >= size) return undefined;
  let [node, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return undefined;
    const isRight = node % 2 === 1 || node === last;
    hash = sha256(isRight ? concat(NODE, sibling, hash) : concat(NODE, hash, sibling));
    if (isRight) while (node % 2 === 0 && node > 0) [node, last] = [half(node), half(last)];
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? hash : undefined;
};

const verifyInclusion = ({ stream, revision, hash }: NamedLeaf, proof: TlogProof, platform: Platform): void => {
  const { sha256, encodeUtf8 } = platform;
  const entry = encodeUtf8(`ruhani-event/1\n${formatHex(sha256(encodeUtf8(stream)))}\n${revision}\n${hash}\n`);
  const root = rootOfInclusion(sha256(concat(LEAF, entry)), { ...proof, size: proof.checkpoint.size }, platform);
  if (!root || !isSame(root, proof.checkpoint.root))
    throw new Refused('inclusion', 'The log that was signed does not have this event at this place.');
};

const verify = (text: string, policy: ReceiptPolicy, platform: Platform): Proved => {
  const proof = parseTlogProof(text);
  const { checkpoint, index } = proof;
  const { leaf, read } = readExtra(platform.decodeUtf8(proof.extra), platform);
  const key = verifyLog(checkpoint, parseKeys(policy.logs, 1, platform), platform);
  const rule = findRule(policy, checkpoint);
  const witnesses = verifyWitnesses(checkpoint, parseKeys(rule.witnesses, 4, platform), rule.quorum, platform);
  verifyInclusion(leaf, proof, platform);
  const { origin, size } = checkpoint;
  const quorumToday = witnesses.length < policy.quorum ? policy.quorum : undefined;
  return { proved: true, origin, keyId: key.id, index, size, witnesses, quorumToday, contents: read() };
};

/** Verifies a receipt, or an invoice's proof. It never throws, whatever the receipt is. */
export const verifyReceipt = (receipt: string | Uint8Array, policy: ReceiptPolicy, platform: Platform): Verdict => {
  try {
    return verify(typeof receipt === 'string' ? receipt : platform.decodeUtf8(receipt), policy, platform);
  } catch (error) {
    if (error instanceof Refused) return { proved: false, reason: error.reason, message: error.message };
    return { proved: false, reason: 'malformed', message: 'This is not a complete receipt: it cannot be read.' };
  }
};
