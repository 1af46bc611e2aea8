import { START, type Cancellation, type EventStore, type LogPosition } from '#domain/event-store.ts';
import type { Clock } from '#projections/follower/clock.ts';
import { systemClock } from '#projections/follower/clock.ts';
import { BuildInProgress } from '#projections/follower/failures.ts';
import { newHolderId, runFollower, STANDBY_PAUSE_MS, withLease, type Follower, type Log } from '#projections/follower/lease.ts';
import { isRewound, type CheckpointEvent } from '#projections/follower/log-rewind.ts';

import { streamCategories, type StoredEvent, type StoredLog } from '../event-store/stored-event.ts';
import { leafOf } from './leaf.ts';
import { computeRoot, proveConsistency, type TreeHead } from './merkle-tree.ts';
import type { SignedLog, SigningState, TreeStart } from './signed-log.ts';
import type { SignedCheckpoint } from './log-key.ts';
import { appendEntries, edgeTiles, MissingTile, nodesFromTiles, TILE_WIDTH, type Tile } from './tiles.ts';
import type { HeldTree, TreeChanges, TreeName, TreeRows } from './tree-rows.ts';

export type TreeLog = EventStore & Pick<StoredLog, 'storedPage'>;

/** A page of the log, and a commit of the tree, have at most this many events. */
const PAGE = 5_000;
/** Two checkpoints are signed this many ms apart. */
const SIGN_INTERVAL_MS = 1_000;

type Leaf = { readonly entry: Uint8Array; /** The position in the log before the leaf. */ readonly after: LogPosition };

/** Appends leaves. The result has the tiles that are new or grew. */
const appendLeaves = ({ edge: old }: HeldTree, leaves: readonly Leaf[], place: CheckpointEvent): TreeChanges => {
  const { tree: edge, full } = appendEntries(
    old,
    leaves.map(({ entry }) => entry),
  );
  const isGrown = ({ level }: Tile): boolean => Math.floor(old.size / TILE_WIDTH ** level) < Math.floor(edge.size / TILE_WIDTH ** level);
  // A tile that was begun before keeps its own `after`.
  const startOf = ({ level, index }: Tile) => (level === 0 ? leaves[Math.max(0, index * TILE_WIDTH - old.size)]?.after : undefined);
  const tiles = [...full, ...edgeTiles(edge).filter(isGrown)].map((tile) => ({ ...tile, after: startOf(tile) }));
  return { edge, place, tiles };
};

const appendEvents = (held: HeldTree, events: readonly StoredEvent[]): TreeChanges => {
  const leaves = events.map((event, order) => ({
    entry: Buffer.from(leafOf(event)),
    after: events[order - 1]?.position ?? held.place.position,
  }));
  const { position, eventId, stream, revision } = events.at(-1) ?? held.place;
  return appendLeaves(held, leaves, { position, eventId, stream, revision });
};

type Parts = { readonly store: Pick<TreeLog, 'storedPage'>; readonly trees: TreeRows };

/** Called while a tree is built, with the number of its leaves and its position. */
type OnProgress = (size: number, position: LogPosition) => void;

/** Appends all events of the log that are not in the tree yet. The next page is read while one is hashed and written. */
const catchUp = async (
  { store, trees }: Parts,
  name: TreeName,
  held: HeldTree,
  until: Cancellation,
  onProgress: OnProgress = () => {},
): Promise<HeldTree> => {
  let tree = held;
  const read = (after: LogPosition) => store.storedPage(after, PAGE, streamCategories);
  let page = await read(tree.place.position);
  while (page.length > 0 && !until.aborted) {
    const last = page.at(-1);
    const next = page.length === PAGE && last ? read(last.position) : Promise.resolve([]);
    // The error is thrown where it is awaited.
    next.catch(() => {});
    tree = await trees.commit(name, tree, appendEvents(tree, page));
    onProgress(tree.edge.size, tree.place.position);
    page = await next;
  }
  return tree;
};

const BEGINNING: CheckpointEvent = { position: START, eventId: '' };

type BuildOptions = { readonly signal: AbortSignal; readonly clock?: Clock | undefined; readonly onProgress?: OnProgress | undefined };

/** Builds the tree `next` from the first event, and then does `work` with it. Throws `BuildInProgress` if another process builds it. */
const buildNext = async <Result>(
  { store, trees }: Parts,
  { generation, firstEntry }: TreeStart,
  { signal, clock, onProgress }: BuildOptions,
  work: (built: HeldTree) => Promise<Result>,
): Promise<Result> => {
  const holder = newHolderId();
  const claim = async (): Promise<HeldTree> => {
    const held = await trees.claim('next', holder);
    if (!held) throw new BuildInProgress('The tree of the log');
    return held;
  };
  const before = await claim();
  const build = async (leased: AbortSignal): Promise<Result> => {
    await trees.empty(before, generation);
    const empty = await claim();
    const entry = firstEntry === undefined ? undefined : { entry: Buffer.from(firstEntry), after: START };
    const begun = entry ? await trees.commit('next', empty, appendLeaves(empty, [entry], BEGINNING)) : empty;
    const built = await catchUp({ store, trees }, 'next', begun, leased, onProgress);
    leased.throwIfAborted();
    return work(built);
  };
  const renew = async () => void (await trees.renew('next', holder));
  return withLease({ renew, release: () => trees.release('next', holder) }, signal, build, clock);
};

/** Builds the tree anew beside the live one, and replaces that. Returns its size. Throws `BuildInProgress`. */
export const rebuildLogTree = (parts: Parts, start: TreeStart, options: BuildOptions): Promise<number> =>
  buildNext(parts, start, options, async (built) => {
    await parts.trees.replaceLive(built);
    return built.edge.size;
  });

/**
 * Builds the tree anew and compares it with the live one as that was at first, which grows meanwhile. Returns its size and the live tiles,
 * as `level/index`, that differ from those of the log. Throws `BuildInProgress`.
 */
export const verifyLogTree = async (
  { store, trees }: Parts,
  start: TreeStart,
  options: BuildOptions,
): Promise<{ size: number; differing: string[] }> => {
  const liveSize = (await trees.reading.findLive())?.size ?? 0;
  return buildNext({ store, trees }, start, options, async (built) => {
    const differing = await trees.reading.findDifferences(liveSize);
    await trees.empty(built, 0);
    return { size: built.edge.size, differing: differing.map(({ level, index }) => `${level}/${index}`) };
  });
};

type FollowParts = Parts & {
  readonly store: TreeLog;
  readonly signed: Pick<SignedLog, 'open' | 'beginNext' | 'sign'>;
  readonly log: Log;
  readonly clock?: Clock | undefined;
};

/** A tree's root depends only on its edge, so that nothing that happens to the rows is signed. */
const headOf = async ({ edge }: HeldTree): Promise<TreeHead> => {
  const read = nodesFromTiles(edge.size, async (places) => places.map(({ level }) => edge.levels[level] ?? Buffer.alloc(0)));
  return { size: edge.size, root: await computeRoot(edge.size, read) };
};

/** Returns false if a tile is missing or too short. */
const unlessMissing = async (test: () => Promise<boolean>): Promise<boolean> => {
  try {
    return await test();
  } catch (error) {
    if (error instanceof MissingTile) return false;
    throw error;
  }
};

class LogTree implements Follower<TreeName, HeldTree> {
  readonly about = { tree: 'log' };
  readonly key = 'live';
  readonly storage: TreeRows;
  readonly #clock: Clock;

  constructor(readonly parts: FollowParts) {
    this.storage = parts.trees;
    this.#clock = parts.clock ?? systemClock;
  }

  /** A tree parks nothing: each event is a leaf. */
  tryParked = async (): Promise<boolean> => false;

  follow = async (held: HeldTree, signal: AbortSignal): Promise<void> => {
    const state = await this.parts.signed.open();
    const isOther = held.generation !== state.generation || (await isRewound(this.parts.store, held.place));
    if (!isOther && (await this.#isWhole(held))) {
      const tree = await catchUp(this.parts, 'live', held, signal);
      if (signal.aborted) return;
      if (await this.#continues('live', tree, state.known)) return this.#signWhileItGrows(tree, state, signal);
    }
    await this.#build(state, signal);
  };

  /** The tree may be damaged instead of the log: only one that was just built from the log says what the log is. */
  async #build(state: SigningState, signal: AbortSignal): Promise<void> {
    const { log, signed, trees } = this.parts;
    log.info({ ...this.about, origin: state.signer.name }, 'Building the tree of the log');
    try {
      await buildNext(this.parts, state, { signal, clock: this.#clock }, async (built) => {
        const { size } = built.edge;
        if (await this.#continues('next', built, state.known)) {
          await trees.replaceLive(built);
          return log.info({ ...this.about, size }, 'The tree of the log is built');
        }
        await trees.empty(built, 0);
        const { signer } = await signed.beginNext(state);
        log.error(
          { ...this.about, size, signedSize: state.last?.size, origin: signer.name },
          'The log is shorter than what was signed last, or differs from it: it is signed under the next origin from now on',
        );
      });
    } catch (error) {
      if (!(error instanceof BuildInProgress)) throw error;
      await this.#clock.sleep(STANDBY_PAUSE_MS, signal);
    }
  }

  #isWhole = (tree: HeldTree): Promise<boolean> => unlessMissing(async () => (await headOf(tree)).size === tree.edge.size);

  /** Tests whether the tree begins with all of these. */
  async #continues(name: TreeName, { edge }: HeldTree, known: readonly SignedCheckpoint[]): Promise<boolean> {
    const { readNodes } = this.storage.reading;
    for (const { size, root } of known) {
      if (size > edge.size) return false;
      if (!(await unlessMissing(async () => (await computeRoot(size, readNodes(name, size))).equals(root)))) return false;
    }
    return true;
  }

  async #signWhileItGrows(begun: HeldTree, state: SigningState, signal: AbortSignal): Promise<void> {
    const { store, signed } = this.parts;
    let tree = begun;
    let publishedSize = state.publishedSize;
    // Another process may have signed a moment ago.
    let signedAt = this.#clock.now();
    while (!signal.aborted) {
      if (tree.edge.size === publishedSize) {
        for await (const _ of store.follow(tree.place.position, streamCategories, signal)) break;
      } else {
        await this.#clock.sleep(Math.max(0, signedAt + SIGN_INTERVAL_MS - this.#clock.now()), signal);
      }
      tree = await catchUp(this.parts, 'live', tree, signal);
      if (signal.aborted || tree.edge.size === publishedSize) continue;
      if (this.#clock.now() < signedAt + SIGN_INTERVAL_MS) continue;
      const head = await headOf(tree);
      const prove = (old: number) => proveConsistency(old, head.size, this.storage.reading.readNodes('live', head.size));
      signedAt = this.#clock.now();
      const published = await signed.sign(state, head, prove);
      if (published) publishedSize = published.size;
    }
  }
}

/**
 * Keeps the tree of the log up to date and signs it, until the signal is aborted. Of several processes one does, under a lease. A tree that
 * is missing, or was built from another log, is built anew.
 */
export const followLogTree = (parts: FollowParts, signal: AbortSignal): Promise<void> => runFollower(new LogTree(parts), parts, signal);
