import type { Category, EventStore, LogPosition, Recorded } from '#domain/event-store.ts';

import { isWholeLog, type SealedStoredEvent, type StoredEvent, type StoredLog } from '../../event-store/stored-event.ts';

const PAGE = 250;

type Page = readonly { readonly position: LogPosition }[];
type ReadPage<Of extends Page> = (after: LogPosition, limit: number) => Promise<Of>;

/** Yields pages up to the log's end at the start, at most `limit` events. One page is in memory. */
async function* readPages<Of extends Page>(read: ReadPage<Of>, from: LogPosition, end: LogPosition, limit: number): AsyncGenerator<Of> {
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

export type Pages<Of extends Page> = { readonly end: LogPosition; readonly pages: AsyncIterable<Of> };

export const readLogPages = async (
  store: EventStore,
  { from, limit = Infinity, categories }: Part,
): Promise<Pages<readonly Recorded[]>> => {
  const end = await store.head(categories);
  return { end, pages: readPages((after, most) => store.page(after, most, categories), from, end, limit) };
};

const withSeals = async (store: StoredLog, page: readonly StoredEvent[]): Promise<readonly SealedStoredEvent[]> => {
  const [first, last] = [page[0], page.at(-1)];
  if (!store.seals || !first || !last) return page;
  const seals = await store.seals(first.position, last.position);
  const hashes = new Map(seals.map(({ position, rollingHash }) => [position, rollingHash]));
  return page.map((event) => ({ ...event, rollingHash: hashes.get(event.position) ?? '' }));
};

/** Includes rolling hashes only if no category is left out, because they can be checked only with all events before them. */
export const storedPage = async (
  store: StoredLog,
  after: LogPosition,
  limit: number,
  categories: readonly Category[],
): Promise<readonly SealedStoredEvent[]> => {
  const page = await store.storedPage(after, limit, categories);
  return isWholeLog(categories) ? withSeals(store, page) : page;
};

export const storedPages = async (
  store: EventStore & StoredLog,
  { from, limit = Infinity, categories }: Part,
): Promise<Pages<readonly SealedStoredEvent[]>> => {
  const end = await store.head(categories);
  return { end, pages: readPages((after, most) => storedPage(store, after, most, categories), from, end, limit) };
};
