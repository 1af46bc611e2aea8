import { HASH_BYTES, hashLeaf, hashPair, type Hash, type ReadNodes } from './merkle-tree.ts';

/** A full tile has this many hashes. */
export const TILE_WIDTH = 256;
/** A hash of a tile is the root of a full tile one level below, so it is eight levels of the tree above that tile's hashes. */
const TILE_LEVELS = 8;

/** A tile's place: its first hash is the `index * 256`th of its level. `width` is 1 to 256. */
export type TilePlace = { readonly level: number; readonly index: number; readonly width: number };
/** The place of a tile, or of the bundle of entries of the same leaves as a tile of level 0. */
export type PublishedPlace = Omit<TilePlace, 'level'> & { readonly level: number | 'entries' };
/** A tile with its hashes, one after the other. */
export type Tile = TilePlace & { readonly hashes: Buffer };

const formatIndex = (index: number): string => {
  const groups: string[] = [];
  for (let rest = index; rest > 0 || groups.length === 0; rest = Math.floor(rest / 1000))
    groups.unshift(String(rest % 1000).padStart(3, '0'));
  return groups.map((digits, at) => (at < groups.length - 1 ? `x${digits}` : digits)).join('/');
};

/** Returns the path after `tile/`: `0/x001/234.p/17`. */
export const formatTilePath = ({ level, index, width }: PublishedPlace): string =>
  `${level}/${formatIndex(index)}${width === TILE_WIDTH ? '' : `.p/${width}`}`;

const PATH = /^(entries|0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;
const HIGHEST_LEVEL = 63;

/** Returns undefined for what `formatTilePath` does not write. */
export const parseTilePath = (path: string): PublishedPlace | undefined => {
  const [, name = '', digits = '', partial] = PATH.exec(path) ?? [];
  const level = name === 'entries' ? name : Number(name);
  const place: PublishedPlace = { level, index: Number(digits.replaceAll(/[x/]/g, '')), width: Number(partial ?? TILE_WIDTH) };
  const isPlace = Number.isSafeInteger(place.index) && (level === 'entries' || level <= HIGHEST_LEVEL);
  return isPlace && formatTilePath(place) === path ? place : undefined;
};

/** The hashes of each level that fill no tile yet, the leaves first. They are the partial tiles of the tree's last leaves. */
export type TreeEdge = { readonly size: number; readonly levels: readonly Buffer[] };

export const EMPTY_TREE: TreeEdge = { size: 0, levels: [] };

/** Returns the places of the partial tiles of a tree, from which `TreeEdge.levels` can be read; a level without one is left out. */
export const partialTiles = (size: number): readonly TilePlace[] => {
  const tiles: TilePlace[] = [];
  for (let level = 0, hashes = size; hashes > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    const width = hashes % TILE_WIDTH;
    if (width > 0) tiles.push({ level, index: Math.floor(hashes / TILE_WIDTH), width });
  }
  return tiles;
};

const hashRange = (hashes: Buffer): Hash => {
  let row = hashes;
  while (row.length > HASH_BYTES) {
    const above = Buffer.allocUnsafe(row.length / 2);
    for (let at = 0; at < above.length; at += HASH_BYTES) hashPair(row.subarray(at * 2, at * 2 + 2 * HASH_BYTES)).copy(above, at);
    row = above;
  }
  return row;
};

const TILE_BYTES = TILE_WIDTH * HASH_BYTES;

/** Appends entries to a tree. Returns its new edge, and the tiles that became full; the new partial tiles are those of the edge. */
export const appendEntries = (
  tree: TreeEdge,
  entries: readonly Uint8Array[],
): { readonly tree: TreeEdge; readonly full: readonly Tile[] } => {
  const full: Tile[] = [];
  const levels: Buffer[] = [];
  let added = Buffer.concat(entries.map(hashLeaf));
  let before = tree.size;
  for (let level = 0; added.length > 0 || level < tree.levels.length; level += 1) {
    const hashes = Buffer.concat([tree.levels[level] ?? Buffer.alloc(0), added]);
    const first = Math.floor(before / TILE_WIDTH);
    const count = Math.floor(hashes.length / TILE_BYTES);
    const tiles = Array.from({ length: count }, (_, tile) => hashes.subarray(tile * TILE_BYTES, (tile + 1) * TILE_BYTES));
    full.push(...tiles.map((each, tile) => ({ level, index: first + tile, width: TILE_WIDTH, hashes: each })));
    levels.push(hashes.subarray(count * TILE_BYTES));
    added = Buffer.concat(tiles.map(hashRange));
    before = first;
  }
  return { tree: { size: tree.size + entries.length, levels }, full };
};

/** Returns the partial tiles of a tree with their hashes. */
export const edgeTiles = ({ size, levels }: TreeEdge): readonly Tile[] =>
  partialTiles(size).map((place) => ({ ...place, hashes: levels[place.level] ?? Buffer.alloc(0) }));

/** A tile does not have the hashes that its tree's size says it has. */
export class MissingTile extends Error {
  override readonly name = 'MissingTile';
}

/**
 * Makes the reader of the hashes of a tree of `size` leaves from one of tiles. `readTiles` returns the hashes of each place, in the order
 * asked for; more hashes than the place's width do no harm. The reader throws `MissingTile`.
 */
export const nodesFromTiles =
  (size: number, readTiles: (places: readonly TilePlace[]) => Promise<readonly Buffer[]>): ReadNodes =>
  async (nodes) => {
    const wanted = nodes.map((node) => {
      const level = Math.floor(node.level / TILE_LEVELS);
      const count = 2 ** (node.level % TILE_LEVELS);
      const first = node.index * count;
      const index = Math.floor(first / TILE_WIDTH);
      const inLevel = Math.floor(size / TILE_WIDTH ** level);
      const place = { level, index, width: Math.min(TILE_WIDTH, inLevel - index * TILE_WIDTH) };
      return { place, path: formatTilePath(place), at: (first % TILE_WIDTH) * HASH_BYTES, length: count * HASH_BYTES };
    });
    const places = [...new Map(wanted.map(({ path, place }) => [path, place])).values()];
    const read = await readTiles(places);
    const tiles = new Map(places.map((place, order) => [formatTilePath(place), read[order]]));
    return wanted.map(({ path, at, length }) => {
      const hashes = tiles.get(path)?.subarray(at, at + length);
      if (hashes?.length !== length) throw new MissingTile(`The tile ${path} is missing or too short`);
      return hashRange(hashes);
    });
  };

const LENGTH_BYTES = 2;
/** An entry's length is written in two bytes. */
export const MAX_ENTRY_BYTES = 0xff_ff;

/** Joins entries, each preceded by its length. Throws a RangeError if one is longer than 65,535 bytes. */
export const formatEntryBundle = (entries: readonly Uint8Array[]): Buffer =>
  Buffer.concat(
    entries.flatMap((entry) => {
      if (entry.length > MAX_ENTRY_BYTES) throw new RangeError(`An entry has ${entry.length} bytes; it may have ${MAX_ENTRY_BYTES}`);
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(entry.length);
      return [length, entry];
    }),
  );
