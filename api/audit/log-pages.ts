import type { Category, EventStore, LogPosition, Recorded } from '#domain/event-store.ts';

import type { StoredEvent, StoredLog } from '../event-store/stored-event.ts';

const PAGE = 250;

type Page = readonly { readonly position: LogPosition }[];
type ReadPage<Of extends Page> = (after: LogPosition, limit: number) => Promise<Of>;

/**
 * The log after a position up to where it ended when this began, page by page, `limit` events at most. Holds one page in memory,
 * however long the log is.
 */
async function* pagesOf<Of extends Page>(read: ReadPage<Of>, from: LogPosition, end: LogPosition, limit: number): AsyncGenerator<Of> {
  let after = from;
  for (let left = limit; left > 0 && after < end;) {
    const page = await read(after, Math.min(PAGE, left));
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.position;
    left -= page.length;
  }
}

type Part = { readonly from: LogPosition; readonly limit?: number | undefined; readonly categories: readonly Category[] };

/** Where a part of the log ends, and its events. */
export type Pages<Of extends Page> = { readonly end: LogPosition; readonly pages: AsyncIterable<Of> };

/** The events of a part of the log as the domain knows them. */
export const readPages = async (store: EventStore, { from, limit = Infinity, categories }: Part): Promise<Pages<readonly Recorded[]>> => {
  const end = await store.head(categories);
  return { end, pages: pagesOf((after, most) => store.page(after, most, categories), from, end, limit) };
};

/** The events of a part of the log as they are kept. */
export const storedPages = async (
  store: EventStore & StoredLog,
  { from, limit = Infinity, categories }: Part,
): Promise<Pages<readonly StoredEvent[]>> => {
  const end = await store.head(categories);
  return { end, pages: pagesOf((after, most) => store.storedPage(after, most, categories), from, end, limit) };
};
