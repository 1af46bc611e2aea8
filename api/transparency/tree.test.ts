import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rootOfInclusion } from '#domain/receipt/receipt.ts';
import { computeRoot, EMPTY_ROOT, hashLeaf, hashNode, isConsistent, proveConsistency, proveInclusion, type Hash } from './merkle-tree.ts';
import { nodePlatform } from './node-platform.ts';
import { parseEntryBundle } from './testing/log-reader-over-http.ts';
import {
  appendEntries,
  edgeTiles,
  EMPTY_TREE,
  formatEntryBundle,
  formatTilePath,
  MAX_ENTRY_BYTES,
  nodesFromTiles,
  parseTilePath,
  partialTiles,
  type Tile,
  type TilePlace,
} from './tiles.ts';

const SIZE = 70_000;
const entries = Array.from({ length: SIZE }, (_, index) => Buffer.from(`entry ${index}`));
const leaves = entries.map(hashLeaf);

/** RFC 6962, section 2.1, word for word. */
const mth = (hashes: readonly Hash[]): Hash => {
  const [first] = hashes;
  if (!first) return EMPTY_ROOT;
  if (hashes.length === 1) return first;
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  return hashNode(mth(hashes.slice(0, split)), mth(hashes.slice(split)));
};

/** Rebuilds the root from a proof of inclusion, RFC 9162, section 2.1.3.2. */
const rootOf = (index: number, size: number, leaf: Hash | undefined, proof: readonly Hash[]): Hash | undefined => {
  let [node, last, hash] = [index, size - 1, leaf];
  for (const each of proof) {
    if (!hash || last === 0) return undefined;
    if (node % 2 === 1 || node === last) {
      hash = hashNode(each, hash);
      while (node % 2 === 0 && node > 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else hash = hashNode(hash, each);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : undefined;
};

const whole = appendEntries(EMPTY_TREE, entries);
const tilesOf = (tiles: readonly Tile[]) => new Map(tiles.map((tile) => [`${tile.level}/${tile.index}`, tile.hashes]));
const allTiles = tilesOf([...whole.full, ...edgeTiles(whole.tree)]);
const readTiles = async (places: readonly TilePlace[]) =>
  places.map(({ level, index }) => allTiles.get(`${level}/${index}`) ?? Buffer.alloc(0));
const nodes = (size: number) => nodesFromTiles(size, readTiles);
const rootAt = (size: number) => computeRoot(size, nodes(size));

describe('the tree', () => {
  test('has the roots that Certificate Transparency publishes', () => {
    const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const hashes = inputs.map((hex) => hashLeaf(Buffer.from(hex, 'hex')));
    const roots = hashes.map((_, last) => mth(hashes.slice(0, last + 1)).toString('hex'));
    expect(roots).toEqual([
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ]);
    expect(EMPTY_ROOT.toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  test('has the root of the definition at every size', async () => {
    for (const size of [...Array(300).keys(), 511, 512, 513, 65_536, 65_537, SIZE])
      expect(await rootAt(size)).toEqual(mth(leaves.slice(0, size)));
  });

  test('proves each leaf, and the proof is for no other place', async () => {
    for (const size of [1, 2, 3, 7, 8, 255, 256, 257, 300])
      for (let index = 0; index < size; index += 1) {
        const proof = await proveInclusion(index, size, nodes(size));
        const root = await rootAt(size);
        expect(rootOf(index, size, leaves[index], proof)).toEqual(root);
        const verifiedRoot = (given: readonly Hash[]) =>
          rootOfInclusion(leaves[index] ?? EMPTY_ROOT, { index, size, proof: given }, nodePlatform);
        expect(verifiedRoot(proof)).toEqual(root);
        expect(verifiedRoot([...proof, EMPTY_ROOT])).toBeUndefined();
        if (size > 1) expect(verifiedRoot(proof.slice(1))).not.toEqual(root);
        expect(rootOf(index, size, leaves[index + 1], proof)).not.toEqual(root);
        if (size > 1) expect(rootOf((index + 1) % size, size, leaves[index], proof)).not.toEqual(root);
      }
    await expect(proveInclusion(8, 8, nodes(8))).rejects.toThrow('A tree of 8 leaves has no leaf 8');
  });

  test('proves that it begins with each smaller tree, and with no other', async () => {
    const head = async (size: number) => ({ size, root: await rootAt(size) });
    for (const size of [1, 2, 7, 8, 256, 257, 300])
      for (let old = 0; old <= size; old += 1) {
        const proof = await proveConsistency(old, size, nodes(size));
        expect(isConsistent(await head(old), await head(size), proof)).toBe(true);
        expect(isConsistent({ size: old, root: hashLeaf(Buffer.from('other')) }, await head(size), proof)).toBe(false);
        expect(isConsistent(await head(old), { size, root: hashLeaf(Buffer.from('other')) }, proof)).toBe(old === 0);
        expect(isConsistent(await head(old), await head(size), [...proof, EMPTY_ROOT])).toBe(false);
        if (proof.length > 0) expect(isConsistent(await head(old), await head(size), proof.slice(1))).toBe(false);
      }
    expect(isConsistent(await head(8), await head(7), [])).toBe(false);
    await expect(proveConsistency(9, 8, nodes(8))).rejects.toThrow('A tree of 8 leaves does not begin with 9');
  });

  test('proves any leaf and any earlier tree of a large one', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: SIZE }), fc.nat(), async (size, any) => {
        const index = any % size;
        const proof = await proveInclusion(index, size, nodes(size));
        expect(rootOf(index, size, leaves[index], proof)).toEqual(await rootAt(size));
        const path = await proveConsistency(index, size, nodes(size));
        expect(isConsistent({ size: index, root: await rootAt(index) }, { size, root: await rootAt(size) }, path)).toBe(true);
      }),
    ));
});

describe('tiles', () => {
  test('of a tree of 70,000 leaves are those that the specification counts', () => {
    const count = (level: number) => whole.full.filter((tile) => tile.level === level).length;
    expect([count(0), count(1), count(2)]).toEqual([273, 1, 0]);
    expect(partialTiles(SIZE)).toEqual([
      { level: 0, index: 273, width: 112 },
      { level: 1, index: 1, width: 17 },
      { level: 2, index: 0, width: 1 },
    ]);
    expect(partialTiles(256)).toEqual([{ level: 1, index: 0, width: 1 }]);
    expect(edgeTiles(whole.tree).map(({ hashes, width }) => hashes.length / width)).toEqual([32, 32, 32]);
  });

  test('are the same in however many parts the entries are appended', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 8 }), (parts) => {
        let [tree, full, size] = [EMPTY_TREE, [] as readonly Tile[], 0];
        for (const part of parts) {
          const appended = appendEntries(tree, entries.slice(size, (size += part)));
          [tree, full] = [appended.tree, [...full, ...appended.full]];
        }
        const atOnce = appendEntries(EMPTY_TREE, entries.slice(0, size));
        expect(edgeTiles(tree)).toEqual(edgeTiles(atOnce.tree));
        expect(tilesOf(full)).toEqual(tilesOf(atOnce.full));
      }),
      { numRuns: 30 },
    ));

  test('have paths, and nothing else is one', () => {
    expect(formatTilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('0/x001/x234/067');
    expect(formatTilePath({ level: 'entries', index: 0, width: 17 })).toBe('entries/000.p/17');
    expect(formatTilePath({ level: 2, index: 1000, width: 256 })).toBe('2/x001/000');
    for (const path of ['0/x001/x234/067', 'entries/000.p/17', '63/999.p/255', '2/x001/000'])
      expect(formatTilePath(parseTilePath(path) ?? { level: 0, index: 0, width: 0 })).toBe(path);
    const wrong = [
      '',
      '0',
      '0/0',
      '0/0000',
      '0/x000/001',
      '0/001/002',
      '0/x001',
      '00/001',
      '64/001',
      '0/001.p/0',
      '0/001.p/256',
      '0/001.p/01',
    ];
    for (const path of [...wrong, '-1/001', '0/001.p/', '0/001/', '0/001\n', 'other/001', `0/${'x999/'.repeat(6)}999`])
      expect(parseTilePath(path)).toBeUndefined();
  });

  test('that are too short are reported, not used', async () => {
    const cut = nodesFromTiles(300, async (places) => (await readTiles(places)).map((tile) => tile.subarray(0, 32)));
    await expect(computeRoot(300, cut)).rejects.toThrow('The tile 0/001.p/44 is missing or too short');
  });
});

describe('bundles of entries', () => {
  test('are read as they were written', () => {
    const some = [Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(MAX_ENTRY_BYTES, 'x')];
    expect(parseEntryBundle(formatEntryBundle(some))).toEqual(some);
    expect(formatEntryBundle([Buffer.from('ab')])).toEqual(Buffer.from('\0\x02ab'));
  });

  test('have entries of 65,535 bytes at most', () =>
    expect(() => formatEntryBundle([Buffer.alloc(MAX_ENTRY_BYTES + 1)])).toThrow('An entry has 65536 bytes; it may have 65535'));
});
