import type { Category, Feed, LogPosition, Recorded } from '#domain/event-store.ts';

type Page = readonly Recorded[];

/** Asks for the next page while the one before is worked on. */
export async function* prefetched(source: AsyncIterable<Page>): AsyncGenerator<Page> {
  const pages = source[Symbol.asyncIterator]();
  const ask = () => {
    const asked = pages.next();
    // Whoever stops early never looks at the page already asked for; its failure must not end the process.
    asked.catch(() => {});
    return asked;
  };
  try {
    for (let next = ask(); ;) {
      const { done, value } = await next;
      if (done) return;
      next = ask();
      yield value;
    }
  } finally {
    // Not awaited: it comes back only once the page asked for has come, or the follower's signal is aborted.
    pages.return?.().catch(() => {});
  }
}

/** Large enough that asking costs little, small enough that what a page leaves behind is gone before it is taken for something that lasts. */
const PAGE = 500;

async function* inOrder(feed: Feed, after: LogPosition, categories: readonly Category[], upTo: LogPosition): AsyncGenerator<Page> {
  for (let from = after; from < upTo;) {
    const page = await feed.page(from, PAGE, categories);
    const last = page.at(-1);
    if (!last) return;
    const beyond = last.position >= upTo;
    if (!beyond || last.position === upTo) yield page;
    else yield page.filter(({ position }) => position <= upTo);
    if (beyond) return;
    from = last.position;
  }
}

/** The log after a position in pages, up to and including `upTo`. */
export const pagesOf = (feed: Feed, after: LogPosition, categories: readonly Category[], upTo: LogPosition): AsyncGenerator<Page> =>
  prefetched(inOrder(feed, after, categories, upTo));
