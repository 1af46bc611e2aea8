import { hash } from 'node:crypto';

import type { Item } from './item.ts';
import type { Found, Question } from './shelves.ts';
import { cursorAt } from './sorting.ts';

/** JSON as it goes over the wire, in UTF-8, and a strong `ETag` for it. */
export type Answer = { readonly body: Buffer; readonly etag: string };

/** An array of products. The tag changes with the total too, which is told in a header beside it. */
export type PageAnswer = Answer & {
  readonly total: number;
  /** Cursor of the next page, when there is one. */
  readonly next: string | undefined;
};

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

const digestOf = (body: Buffer): string => hash('sha256', body, 'base64url');

/** The page put together from the answers of its products: copied, never stringified. */
export const pageAnswer = ({ sort }: Question, { items, total, more }: Found): PageAnswer => {
  const parts = items.flatMap(({ json }, index) => (index === 0 ? [json] : [COMMA, json]));
  const body = Buffer.concat([OPEN, ...parts, CLOSE]);
  const last = items.at(-1);
  return { body, etag: `"${digestOf(body)}-${total}"`, total, next: more && last ? cursorAt(sort, last) : undefined };
};

export const productAnswer = ({ json }: Item): Answer => ({ body: json, etag: `"${digestOf(json)}"` });
