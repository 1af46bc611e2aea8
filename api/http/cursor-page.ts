import { z } from 'zod';

import type { ShopContext } from './context.ts';

const LARGEST_PAGE = 200;

/** Larger limits count as 200. */
export const limitInput = (usual = LARGEST_PAGE) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'A whole number from 1')
    .transform((text) => Math.min(Number(text), LARGEST_PAGE))
    .default(usual);

/** `cursor` of a list, as `from` reads it: undefined for what is none. */
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

/** The same query with this cursor; nothing on the last page. */
export const linkToNext = (ctx: ShopContext, cursor: string | null): void => {
  if (cursor === null) return;
  const parameters = new URLSearchParams(ctx.querystring);
  parameters.set('cursor', cursor);
  ctx.set('Link', `<${ctx.path}?${parameters}>; rel="next"`);
};

/** At most `limit` rows, older than the one with this number. */
export type OlderThan = { readonly limit: number; readonly before: string | undefined };

/** `limit` (1 to 200, the default) and `cursor`, the `_id` of the last row so far. */
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

/** With the cursor of the next page: `read` is asked for one more row. */
export const pageOf = async <Row extends Numbered>(
  read: (part: OlderThan) => Promise<readonly Row[]>,
  { limit, before }: OlderThan,
): Promise<{ rows: readonly Row[]; nextCursor: string | null }> => {
  const found = await read({ limit: limit + 1, before });
  const rows = found.slice(0, limit);
  return { rows, nextCursor: found.length > limit ? (rows.at(-1)?._id ?? null) : null };
};

/** A few hundred kilobytes. */
const AT_ONCE = 1_000;

/** Newest first. Rows added meanwhile are left out. */
export async function* everyPage<Row extends Numbered>(read: (part: OlderThan) => Promise<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  for (let before: string | undefined; ;) {
    const rows = await read({ limit: AT_ONCE, before });
    if (rows.length > 0) yield rows;
    if (rows.length < AT_ONCE) return;
    before = rows.at(-1)?._id;
  }
}
