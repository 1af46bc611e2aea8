import type { StreamHead, StreamName } from '#domain/event-store.ts';

import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

/** Names the log as a whole: its revision is a position, its hash the rolling hash. */
export const THE_LOG = 'log';

export type SavedHead = StreamHead & { readonly stream: StreamName | typeof THE_LOG };

/** Stores heads in the shop's database. A copy elsewhere is safer, because anybody who can rewrite the log can rewrite these too. */
export type SavedHeads = {
  of(stream: SavedHead['stream']): Promise<readonly StreamHead[]>;
  pages(): AsyncIterable<readonly SavedHead[]>;
  /** Saves all heads or none. Existing heads stay: the first one saved is the evidence. */
  save(heads: Iterable<readonly SavedHead[]> | AsyncIterable<readonly SavedHead[]>): Promise<void>;
};

const AT_ONCE = 1_000;

function* inPages<Of>(all: readonly Of[]): Generator<readonly Of[]> {
  for (let start = 0; start < all.length; start += AT_ONCE) yield all.slice(start, start + AT_ONCE);
}

export const createSavedHeads = (db: ShopDatabase, now: () => Date): SavedHeads => {
  const headsAfter = (last: SavedHead | undefined) => {
    const all = db.selectFrom('saved_heads').select(['stream', 'revision', 'hash']).orderBy('stream').orderBy('revision').limit(AT_ONCE);
    if (!last) return all.execute();
    return all.where(({ eb, refTuple, tuple }) => eb(refTuple('stream', 'revision'), '>', tuple(last.stream, last.revision))).execute();
  };
  return {
    of: (stream) => db.selectFrom('saved_heads').select(['revision', 'hash']).where('stream', '=', stream).orderBy('revision').execute(),
    pages: async function* () {
      for (let last: SavedHead | undefined; ;) {
        // The cast is safe: only streams of the shop are saved.
        const page = (await headsAfter(last)) as SavedHead[];
        if (page.length > 0) yield page;
        if (page.length < AT_ONCE) return;
        last = page.at(-1);
      }
    },
    save: (heads) =>
      db.transaction().execute(async (tx) => {
        for await (const some of heads)
          for (const page of inPages(some)) {
            const rows = page.map(({ stream, revision, hash }) => ({ stream, revision, hash, saved_at: now() }));
            await tx
              .insertInto('saved_heads')
              .values(rows)
              .onConflict((conflict) => conflict.doNothing())
              .execute();
          }
      }),
  };
};
