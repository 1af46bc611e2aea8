import type { Cancellation, Category, LogPosition, Recorded } from '#domain/event-store.ts';
import type { Bell } from './bell.ts';
import { outlasting } from './patience.ts';

type Page = readonly Recorded[];
type Followed = {
  readonly readPage: (after: LogPosition, limit: number) => Promise<Page>;
  readonly bell: Bell;
  readonly categories: readonly Category[];
  /** How long to trust that the bell would have rung, in ms. */
  readonly patience: number;
};

const PAGE = 2_000;

/**
 * The log from a position on, as pages: while the consumer works on one the next is being read, and at the end the bell is
 * awaited. It is right only over a store whose events become visible in the order of their positions.
 */
export async function* followPages(
  { readPage, bell, categories, patience }: Followed,
  after: LogPosition,
  until: Cancellation,
): AsyncGenerator<Page, void, undefined> {
  const load = async (from: LogPosition) =>
    outlasting(until, async () => {
      const heard = bell.heard(categories);
      return { page: await readPage(from, PAGE), heard };
    });
  /** Whoever leaves in the middle of a page never looks at the next one: its failure is then nobody's. */
  const startLoading = (from: LogPosition) => {
    const loading = load(from);
    loading.catch(() => {});
    return loading;
  };

  let position = after;
  let next = startLoading(position);
  while (!until.aborted) {
    const loaded = await next;
    if (!loaded) return;
    const { page, heard } = loaded;
    position = page.at(-1)?.position ?? position;
    const isFull = page.length === PAGE;
    if (isFull) next = startLoading(position);
    if (page.length > 0 && !until.aborted) yield page;
    if (isFull) continue;
    await bell.waitFor(categories, heard, patience, until);
    next = startLoading(position);
  }
}
