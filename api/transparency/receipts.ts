import type { Logger } from 'pino';

import type { LogPosition, StreamName } from '#domain/event-store.ts';
import { rootOfInclusion } from '#domain/receipt/receipt.ts';

import type { StoredEvent, StoredLog } from '../event-store/stored-event.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { leafOf } from './leaf.ts';
import { HASH_BYTES, hashLeaf, proveInclusion, type Hash, type TreeHead } from './merkle-tree.ts';
import { nodePlatform } from './node-platform.ts';
import { readGenerations } from './signed-log.ts';
import { MissingTile, TILE_WIDTH } from './tiles.ts';
import { formatTlogProof, type TlogProof } from './tlog-proof.ts';
import type { TreeReading } from './tree-rows.ts';

type ReceiptsDeps = {
  readonly db: ShopDatabase;
  readonly trees: TreeReading;
  readonly store: Pick<StoredLog, 'storedStream'>;
  readonly log: Pick<Logger, 'warn'>;
};

/** A stream is read in pages of so many events. */
const PAGE = 1_000;

/** Finds a hash among others, one after the other. */
const findHash = (hashes: Buffer, wanted: Hash): number | undefined => {
  for (let at = 0; at < hashes.length; at += HASH_BYTES) if (wanted.equals(hashes.subarray(at, at + HASH_BYTES))) return at / HASH_BYTES;
  return undefined;
};

export type Receipts = ReturnType<typeof createReceipts>;

/** Makes proofs that events are in the published tree of the log. */
export const createReceipts = ({ db, trees, store, log }: ReceiptsDeps) => {
  /** The damage of the tree is logged, but not again until a proof was right. */
  let isDamaged = false;

  /** Returns the proof, or undefined if the tiles do not lead to this root. */
  const proveRoot = async (leaf: Hash, index: number, { size, root }: TreeHead): Promise<readonly Hash[] | undefined> => {
    const proof = await proveInclusion(index, size, trees.readNodes('live', size)).catch((error: unknown) => {
      if (error instanceof MissingTile) return undefined;
      throw error;
    });
    // The verifier computes the root, so that nothing is given out that it refuses.
    const reached = proof && rootOfInclusion(leaf, { index, size, proof }, nodePlatform);
    const isProved = reached !== undefined && root.equals(reached);
    if (!isProved && !isDamaged)
      log.warn(
        { size, index },
        'The tree of the log does not lead to what was signed: there are no receipts until `npm run projections -- rebuild log-tree`',
      );
    isDamaged = !isProved;
    return isProved ? proof : undefined;
  };

  /**
   * Proves the leaf of the event at this position. Returns undefined while it is not in the published tree, or the stored tree is behind
   * that or damaged.
   */
  const proveLeaf = async (leaf: string, position: LogPosition): Promise<Omit<TlogProof, 'extra'> | undefined> => {
    const newest = (await readGenerations(db)).at(-1);
    if (!newest?.published) return undefined;
    const { note, size } = newest.published;
    const tile = await trees.findTileOf(position);
    const hash = hashLeaf(Buffer.from(leaf));
    const place = tile && findHash(tile.hashes, hash);
    if (!tile || place === undefined) return undefined;
    const index = tile.index * TILE_WIDTH + place;
    const live = await trees.findLive();
    // During a change of the origin the live tree is still that of the old one, and after a rebuild it may be shorter for a moment.
    if (index >= size || live?.generation !== newest.number || live.size < size) return undefined;
    const proof = await proveRoot(hash, index, newest.published);
    return proof && { index, proof, checkpoint: note };
  };

  const readStream = async (stream: StreamName): Promise<readonly StoredEvent[]> => {
    const events: StoredEvent[] = [];
    for (;;) {
      const page = await store.storedStream(stream, events.at(-1)?.revision, PAGE);
      events.push(...page);
      if (page.length < PAGE) return events;
    }
  };

  return {
    proveLeaf,

    /** Tests whether this log is, or once was, signed. */
    isSigned: async (): Promise<boolean> => (await readGenerations(db)).length > 0,

    /**
     * Makes the receipt of a stream up to its newest event: a tlog-proof of that event, whose `extra` has all events as lines of JSON, with
     * data and metadata as they are stored. Returns undefined while the newest event is not in the published tree.
     */
    proveStream: async (stream: StreamName): Promise<string | undefined> => {
      const events = await readStream(stream);
      const newest = events.at(-1);
      const proof = newest && (await proveLeaf(leafOf(newest), newest.position));
      if (!proof) return undefined;
      const lines = events.map(({ stream, revision, eventId, type, data, metadata }) =>
        JSON.stringify({ stream, revision, eventId, type, data, metadata }),
      );
      return formatTlogProof({ ...proof, extra: Buffer.from(lines.map((line) => `${line}\n`).join('')) });
    },
  };
};
