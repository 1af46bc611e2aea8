import { arrayOf, etagOf, type Wire } from '../wire.ts';
import type { Found, Question } from './shelves.ts';
import { cursorAt } from './sorting.ts';

/** A page of products, and a strong `ETag` for it, which changes with the total too: that is told in a header beside it. */
export type PageAnswer = {
  /** Each one's JSON. A page is put together when it is sent: as parts of it, products are in memory once, however many pages they are on. */
  readonly products: readonly Wire[];
  readonly etag: string;
  readonly total: number;
  /** Cursor of the next page, when there is one. */
  readonly next: string | undefined;
};

export const pageAnswer = ({ sort }: Question, { items, total, more }: Found): PageAnswer => {
  const products = items.map(({ json }) => json);
  const last = items.at(-1);
  return { products, etag: etagOf(`${total} ${arrayOf(products)}`), total, next: more && last ? cursorAt(sort, last) : undefined };
};
