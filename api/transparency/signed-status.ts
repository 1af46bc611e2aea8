import type { EventStore } from '#domain/event-store.ts';

import { streamCategories, type StoredLog } from '../event-store/stored-event.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { findTreeStart, readGenerations, type Generation } from './signed-log.ts';
import { parseNote, parseVkey } from './signed-note.ts';
import { TILE_WIDTH } from './tiles.ts';
import type { TreeReading } from './tree-rows.ts';
import type { WitnessPolicy } from './witness-policy.ts';

type StatusDeps = {
  readonly db: ShopDatabase;
  readonly trees: TreeReading;
  readonly store: Pick<StoredLog, 'storedPage'> & Pick<EventStore, 'head'>;
};

/**
 * `unsigned` is the number of events in the tree that are not signed yet, or 1 if the tree itself stands still, and `since` is when the oldest
 * event that is not signed was recorded.
 */
export type SignedStatus = {
  readonly isFollowed: boolean;
  readonly newest: Generation | undefined;
  /** When a published checkpoint was last one that witnesses had signed, of any origin. */
  readonly cosignedAt: Date | null;
  readonly unsigned: number;
  readonly since: Date | undefined;
};

const recordedAt = (metadata: string): Date | undefined => {
  const { recordedAt: text }: { recordedAt?: string } = JSON.parse(metadata);
  return text === undefined ? undefined : new Date(text);
};

/** Tells how far the log is signed and published. */
export const readSignedStatus = async ({ db, trees, store }: StatusDeps): Promise<SignedStatus> => {
  const generations = await readGenerations(db);
  const live = await trees.findLive();
  const isFollowed = live?.holder !== undefined;
  const newest = generations.at(-1);
  const cosignedAt = generations.findLast((each) => each.cosignedAt !== null)?.cosignedAt ?? null;
  const size = newest?.published?.size ?? 0;
  // While a tree is built anew it is shorter. A tree that has the whole log leaves nothing to look for.
  const isWhole = live?.size === size && live.place.position >= (await store.head(streamCategories));
  if (!live || live.size < size || isWhole) return { isFollowed, newest, cosignedAt, unsigned: 0, since: undefined };
  const tile = Math.floor(size / TILE_WIDTH);
  // The first leaf of a later origin is no event.
  const before = tile === 0 && findTreeStart(generations).firstEntry !== undefined ? 1 : 0;
  const start = await trees.findStartOf(tile);
  const [after, skipped] = start === undefined ? [live.place.position, 0] : [start, Math.max(0, (size % TILE_WIDTH) - before)];
  const oldest = (await store.storedPage(after, skipped + 1, streamCategories))[skipped];
  const unsigned = Math.max(live.size - size, oldest ? 1 : 0);
  return { isFollowed, newest, cosignedAt, unsigned, since: oldest && recordedAt(oldest.metadata) };
};

/** How far the log is signed, as auditors see it. */
export type SignaturesView = {
  readonly origin: string | null;
  /** The number of events that the newest published checkpoint stands for; `signedAt` is when it was published. */
  readonly size: number;
  readonly signedAt: Date | null;
  /** When witnesses last signed a published checkpoint; `isCosigned` says whether they signed the newest. */
  readonly cosignedAt: Date | null;
  readonly isCosigned: boolean;
  readonly witnesses: number;
  readonly quorum: number;
  /** When the oldest event that is not signed yet was recorded. */
  readonly unsignedSince: Date | null;
};

/** The first leaf of a later origin is no event. */
const countEvents = (newest: Generation | undefined): number =>
  newest?.published ? newest.published.size - (newest.number > 1 ? 1 : 0) : 0;

export const viewSignatures = async (deps: StatusDeps, { witnesses, quorum }: WitnessPolicy): Promise<SignaturesView> => {
  const { newest, cosignedAt, since } = await readSignedStatus(deps);
  return {
    origin: newest ? parseVkey(newest.vkey).name : null,
    size: countEvents(newest),
    signedAt: newest?.publishedAt ?? null,
    cosignedAt,
    // The first signature is that of the log.
    isCosigned: newest?.published !== undefined && parseNote(newest.published.note).signatures.length > 1,
    witnesses: witnesses.length,
    quorum,
    unsignedSince: since ?? null,
  };
};
