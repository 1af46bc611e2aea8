import type { StreamHead, StreamName } from '#domain/event-store.ts';

import type { ShopDatabase } from '../shop-tables.ts';

/** Where a stream ended at some time. */
export type SavedHead = StreamHead & { readonly stream: StreamName };

/** Heads that were saved earlier, in the shop's own database. A copy elsewhere is worth more: who can rewrite the log can rewrite these. */
export type SavedHeads = {
  of(stream: StreamName): Promise<readonly StreamHead[]>;
  /** All of them, page by page. */
  pages(): AsyncIterable<readonly SavedHead[]>;
  /** What stands there already stays: the first to be saved is the witness. */
  save(heads: Iterable<SavedHead>): Promise<void>;
};

const AT_ONCE = 1_000;

function* inPages<Of>(all: Iterable<Of>): Generator<readonly Of[]> {
  let page: Of[] = [];
  for (const one of all) {
    page.push(one);
    if (page.length < AT_ONCE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

export const savedHeadsIn = (db: ShopDatabase, now: () => Date): SavedHeads => {
  const headsAfter = (last: SavedHead | undefined) => {
    const all = db.selectFrom('saved_heads').select(['stream', 'revision', 'hash']).orderBy('stream').orderBy('revision').limit(AT_ONCE);
    if (!last) return all.execute();
    return all.where(({ eb, refTuple, tuple }) => eb(refTuple('stream', 'revision'), '>', tuple(last.stream, last.revision))).execute();
  };
  return {
    of: (stream) => db.selectFrom('saved_heads').select(['revision', 'hash']).where('stream', '=', stream).orderBy('revision').execute(),
    pages: async function* () {
      for (let last: SavedHead | undefined; ;) {
        // Only streams of the shop are ever saved.
        const page = (await headsAfter(last)) as SavedHead[];
        if (page.length > 0) yield page;
        if (page.length < AT_ONCE) return;
        last = page.at(-1);
      }
    },
    save: async (heads) => {
      for (const page of inPages(heads)) {
        const rows = page.map(({ stream, revision, hash }) => ({ stream, revision, hash, saved_at: now() }));
        await db
          .insertInto('saved_heads')
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    },
  };
};

/** All of them at once: a little of each stream that ever had one saved. */
export const allHeads = async (savedHeads: SavedHeads): Promise<readonly SavedHead[]> => {
  const heads: SavedHead[] = [];
  for await (const page of savedHeads.pages()) heads.push(...page);
  return heads;
};
