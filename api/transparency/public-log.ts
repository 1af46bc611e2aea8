import { hash } from 'node:crypto';

import type { ShopContext, ShopMiddleware } from '../http/context.ts';
import { revalidated, sendCachedResponse } from '../http/cached-response.ts';
import { notFound, unavailable } from '../http/http-error.ts';
import type { Headers } from '../http/headers.ts';
import { streamCategories, type StoredLog } from '../event-store/stored-event.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { leafOf } from './leaf.ts';
import { HASH_BYTES, hashLeaf } from './merkle-tree.ts';
import { readGenerations, findTreeStart, type Generation } from './signed-log.ts';
import { formatEntryBundle, parseTilePath, TILE_WIDTH } from './tiles.ts';
import type { TreeReading } from './tree-rows.ts';

export type PublicLogDeps = {
  readonly db: ShopDatabase;
  readonly trees: TreeReading;
  readonly store: Pick<StoredLog, 'storedPage'>;
};

/** Group 1 is the number of a later origin, `/log/2`. */
const PATH = /^\/log(?:\/([2-9]|[1-9]\d+))?\/(checkpoint|key|tile\/(.+))$/;

const TEXT = 'text/plain; charset=utf-8';
const BYTES = 'application/octet-stream';

/** Verifiers read the log from anywhere, in browsers too. */
const PUBLIC: Headers = ['Access-Control-Allow-Origin', '*', 'Cross-Origin-Resource-Policy', 'cross-origin'];
/** A new checkpoint comes every second at most. */
const SHORT = 'public, max-age=1';
/** Tiles never change. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const nothing = () => notFound('There is nothing at this address');

const send = (ctx: ShopContext, type: string, caching: string, content: Buffer | string): void => {
  const body = Buffer.from(content);
  const etag = `"${hash('sha256', body).slice(0, 32)}"`;
  sendCachedResponse(ctx, revalidated(ctx.req, { type, etag, headers: PUBLIC, caching, body: () => body }));
};

/** Returns the leaves of a tile of leaves, from the log. Throws a 503 when they are not those of the tree, which follows another log. */
const readEntries = async (
  { store, trees }: PublicLogDeps,
  generations: readonly Generation[],
  { index, width }: { readonly index: number; readonly width: number },
  hashes: Buffer,
): Promise<readonly Buffer[]> => {
  const after = await trees.findStartOf(index);
  if (after === undefined) throw nothing();
  const { firstEntry } = findTreeStart(generations);
  const first = firstEntry !== undefined && index === 0 ? [Buffer.from(firstEntry)] : [];
  const events = await store.storedPage(after, width - first.length, streamCategories);
  const entries = [...first, ...events.map((event) => Buffer.from(leafOf(event)))];
  const isTile = Buffer.concat(entries.map(hashLeaf)).equals(hashes);
  if (!isTile) throw unavailable('The log is not the one that was signed');
  return entries;
};

/** Serves a tile or a bundle of entries, if it is in the published tree of the newest origin. */
const sendTile = async (ctx: ShopContext, deps: PublicLogDeps, generations: readonly Generation[], path: string): Promise<void> => {
  const place = parseTilePath(path);
  const published = generations.at(-1)?.published;
  if (!place || !published) throw nothing();
  const { level, index, width } = place;
  const treeLevel = level === 'entries' ? 0 : level;
  if (index * TILE_WIDTH + width > Math.floor(published.size / TILE_WIDTH ** treeLevel)) throw nothing();
  const live = await deps.trees.findLive();
  const [hashes] = await deps.trees.readTiles('live', [{ level: treeLevel, index }]);
  const wanted = hashes?.subarray(0, width * HASH_BYTES);
  // While the tree is built anew, it may be behind what is published.
  if (live?.generation !== generations.at(-1)?.number || wanted?.length !== width * HASH_BYTES)
    throw unavailable('The tree of the log is being built: please try again');
  const content = level === 'entries' ? formatEntryBundle(await readEntries(deps, generations, place, wanted)) : wanted;
  send(ctx, BYTES, FOR_EVER, content);
};

/**
 * Serves the log to everybody: `/log/checkpoint`, `/log/key` (the vkeys, newest first), `/log/tile/…`, and the same below `/log/2` when the
 * log has a second origin. Of the earlier origins only the last checkpoint stays.
 */
export const publicLog =
  (deps: PublicLogDeps): ShopMiddleware =>
  async (ctx, next) => {
    const [, number = '1', name, tile] = (ctx.method === 'GET' || ctx.method === 'HEAD' ? PATH.exec(ctx.path) : undefined) ?? [];
    if (name === undefined) return next();
    const generations = await readGenerations(deps.db);
    const asked = generations.find((each) => each.number === Number(number));
    if (!asked) throw nothing();
    if (name === 'key')
      return send(
        ctx,
        TEXT,
        SHORT,
        generations
          .toReversed()
          .map(({ vkey }) => `${vkey}\n`)
          .join(''),
      );
    if (tile !== undefined) {
      if (asked !== generations.at(-1)) throw nothing();
      return sendTile(ctx, deps, generations, tile);
    }
    if (!asked.published) throw nothing();
    return send(ctx, TEXT, SHORT, asked.published.note);
  };
