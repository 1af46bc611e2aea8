import { z } from 'zod';

import type { ShopContext } from './context.ts';

const LARGEST_PAGE = 200;

/** A limit above 200 counts as 200. */
export const limitInput = (usual = LARGEST_PAGE) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'A whole number from 1')
    .transform((text) => Math.min(Number(text), LARGEST_PAGE))
    .default(usual);

/** Parses the `cursor` of a list with `from`, which returns undefined for an invalid one. */
export const cursorInput = <Cursor>(from: (text: string) => Cursor | undefined) =>
  z
    .string()
    .max(200, 'Not a cursor of this list')
    .transform((text, issue) => {
      const place = from(text);
      if (place === undefined) issue.addIssue({ code: 'custom', message: 'Not a cursor of this list' });
      return place;
    })
    .optional();

/** Adds a `Link` header with this cursor to the same query; nothing on the last page. */
export const linkToNext = (ctx: ShopContext, cursor: string | null): void => {
  if (cursor === null) return;
  const parameters = new URLSearchParams(ctx.querystring);
  parameters.set('cursor', cursor);
  ctx.set('Link', `<${ctx.path}?${parameters}>; rel="next"`);
};

/** The question asks for at most `limit` rows, older than the row with this number. */
export type OlderThan = { readonly limit: number; readonly before: string | undefined };

/** Parses `limit` (1 to 200, the default) and `cursor`, the `_id` of the last row so far. */
export const NewestFirstInput = z
  .object({
    limit: limitInput(),
    cursor: z
      .string()
      .regex(/^\d{1,18}$/, 'Not a cursor of this list')
      .optional(),
  })
  .transform(({ limit, cursor }): OlderThan => ({ limit, before: cursor }));

type Numbered = { readonly _id: string };

/** Returns a page with the cursor of the next one; `read` is asked for one more row. */
export const readPage = async <Row extends Numbered>(
  read: (part: OlderThan) => Promise<readonly Row[]>,
  { limit, before }: OlderThan,
): Promise<{ rows: readonly Row[]; nextCursor: string | null }> => {
  const found = await read({ limit: limit + 1, before });
  const rows = found.slice(0, limit);
  return { rows, nextCursor: found.length > limit ? (rows.at(-1)?._id ?? null) : null };
};

/** This many rows are a few hundred kilobytes. */
const AT_ONCE = 1_000;

/** Reads all pages, newest first. Rows that are added meanwhile are left out. */
export async function* everyPage<Row extends Numbered>(read: (part: OlderThan) => Promise<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  for (let before: string | undefined; ;) {
    const rows = await read({ limit: AT_ONCE, before });
    if (rows.length > 0) yield rows;
    if (rows.length < AT_ONCE) return;
    before = rows.at(-1)?._id;
  }
}
