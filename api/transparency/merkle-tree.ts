import { hash } from 'node:crypto';

/** A SHA-256 hash, 32 bytes. */
export type Hash = Buffer;

export const HASH_BYTES = 32;

/** The perfect subtree over the leaves from `index * 2 ** level`, `2 ** level` of them. Level 0 is a leaf. */
export type TreeNode = { readonly level: number; readonly index: number };

/** Reads the hashes of perfect subtrees, in the order asked for. */
export type ReadNodes = (nodes: readonly TreeNode[]) => Promise<readonly Hash[]>;

const sha256 = (bytes: Uint8Array): Hash => hash('sha256', bytes, 'buffer');

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

export const hashLeaf = (entry: Uint8Array): Hash => sha256(Buffer.concat([LEAF, entry]));

/** Hashes the hashes of both children, 64 bytes. */
export const hashPair = (pair: Uint8Array): Hash => sha256(Buffer.concat([NODE, pair]));

export const hashNode = (left: Hash, right: Hash): Hash => sha256(Buffer.concat([NODE, left, right]));

/** The root of a tree without leaves. */
export const EMPTY_ROOT = sha256(Buffer.alloc(0));

/** Leaves from `first` up to and without `end`, as RFC 6962 splits a tree: `first` is a multiple of the largest power of two within. */
type LeafRange = { readonly first: number; readonly end: number };

/** Returns the level of the largest perfect subtree with at most this many leaves. */
const fittingLevel = (leaves: number): number => {
  let level = 0;
  while (2 ** (level + 1) <= leaves) level += 1;
  return level;
};

const nodesOf = ({ first, end }: LeafRange): readonly TreeNode[] => {
  const nodes: TreeNode[] = [];
  for (let start = first; start < end;) {
    const level = fittingLevel(end - start);
    nodes.push({ level, index: start / 2 ** level });
    start += 2 ** level;
  }
  return nodes;
};

/** Hashes each range, with one call of `read` for all of them. */
const hashRanges = async (ranges: readonly LeafRange[], read: ReadNodes): Promise<readonly Hash[]> => {
  const wanted = ranges.map(nodesOf);
  const hashes = await read(wanted.flat());
  let at = 0;
  return wanted.map(({ length }) => hashes.slice(at, (at += length)).reduceRight((right, left) => hashNode(left, right)));
};

/** The leaves before which RFC 6962 splits a range of at least two: the largest power of two below their number. */
const splitRange = ({ first, end }: LeafRange): number => first + 2 ** fittingLevel(end - first - 1);

/** Returns the root (RFC 6962, section 2.1) of the first `size` leaves. */
export const computeRoot = async (size: number, read: ReadNodes): Promise<Hash> => {
  const [root] = size === 0 ? [] : await hashRanges([{ first: 0, end: size }], read);
  return root ?? EMPTY_ROOT;
};

/**
 * Returns the proof (RFC 6962, section 2.1.1) that the tree of the first `size` leaves has the leaf at `index`: from the leaf's sibling up.
 * Throws a RangeError if the tree has no such leaf.
 */
export const proveInclusion = async (index: number, size: number, read: ReadNodes): Promise<readonly Hash[]> => {
  if (!(index >= 0 && index < size)) throw new RangeError(`A tree of ${size} leaves has no leaf ${index}`);
  const siblings: LeafRange[] = [];
  for (let range = { first: 0, end: size }; range.end - range.first > 1;) {
    const middle = splitRange(range);
    const [left, right] = [
      { ...range, end: middle },
      { ...range, first: middle },
    ];
    siblings.unshift(index < middle ? right : left);
    range = index < middle ? left : right;
  }
  return hashRanges(siblings, read);
};

/**
 * Returns the proof (RFC 6962, section 2.1.2) that the tree of the first `size` leaves begins with that of the first `old`. It is empty if
 * `old` is 0 or `size`. Throws a RangeError if `old` is larger than `size`.
 */
export const proveConsistency = async (old: number, size: number, read: ReadNodes): Promise<readonly Hash[]> => {
  if (!(old >= 0 && old <= size)) throw new RangeError(`A tree of ${size} leaves does not begin with ${old}`);
  if (old === 0) return [];
  const parts: LeafRange[] = [];
  let range = { first: 0, end: size };
  while (range.end !== old) {
    const middle = splitRange(range);
    const [left, right] = [
      { ...range, end: middle },
      { ...range, first: middle },
    ];
    parts.unshift(old <= middle ? right : left);
    range = old <= middle ? left : right;
  }
  // The verifier knows the whole old tree.
  if (range.first > 0) parts.unshift(range);
  return hashRanges(parts, read);
};

const isOdd = (value: number): boolean => value % 2 === 1;
const half = (value: number): number => Math.floor(value / 2);

/** A tree as its checkpoint names it. */
export type TreeHead = { readonly size: number; readonly root: Hash };

/** Tests a proof that the tree `head` begins with the tree `old` (RFC 9162, section 2.1.4.2). */
export const isConsistent = (old: TreeHead, head: TreeHead, proof: readonly Hash[]): boolean => {
  if (old.size > head.size || [old, head].some(({ size, root }) => size === 0 && !root.equals(EMPTY_ROOT))) return false;
  if (old.size === 0) return proof.length === 0;
  if (old.size === head.size) return proof.length === 0 && old.root.equals(head.root);
  let [node, last] = [old.size - 1, head.size - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  // An old tree that is one perfect subtree is known to the verifier, and not in the proof.
  const [first, ...rest] = node === 0 ? [old.root, ...proof] : proof;
  if (!first) return false;
  let [before, after] = [first, first];
  for (const hash of rest) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      [before, after] = [hashNode(hash, before), hashNode(hash, after)];
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else after = hashNode(after, hash);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && before.equals(old.root) && after.equals(head.root);
};
