import pMap from 'p-map';
import { maxPosition, type LogPosition } from '#domain/event-store.ts';
import { product, productStream } from '#domain/product/product.ts';
import { isProductId, type ProductId } from '#domain/shared/ids.ts';
import { MOST_BOTTLES, stock, stockStream } from '#domain/stock/stock.ts';

import { Rejected, type RequestMetadata } from '../../command-handler/execute.ts';
import type { Shop } from '../../shop.ts';
import { csvRows, refuseWrongCells, type CellProblem } from '../../http/csv-file.ts';
import { HttpError } from '../../http/http-error.ts';
import { answerTo } from '../../http/rejection-answers.ts';

/** The counts of a line are bottles. The header is line 1. */
type Count = { readonly line: number; readonly productId: ProductId; readonly after: number };
/** `before` is null when the product was not counted. */
type Row = Count & { readonly before: number | null };

/** Rows worked on at a time: enough to share the commits of the store. */
const AT_ONCE = 50;

const COLUMNS = ['productId', 'count'] as const;
const UNKNOWN = 'Product not found';

const parseCount = (text: string): number | undefined =>
  /^\d{1,7}$/.test(text) && Number(text) <= MOST_BOTTLES ? Number(text) : undefined;

/** Parses a file of counts. Throws a 400 that names line and column of wrong cells. */
export const parseCounts = (text: string): readonly Count[] => {
  const firstLines = new Map<string, number>();
  return csvRows(text, COLUMNS, ([id = '', written = ''], line) => {
    const after = parseCount(written);
    const isId = isProductId(id);
    const first = firstLines.get(id);
    firstLines.set(id, first ?? line);
    const again = first === undefined ? undefined : `Is in line ${first} already`;
    return {
      row: isId && after !== undefined ? { line, productId: id, after } : undefined,
      problems: [
        ['productId', isId ? again : UNKNOWN],
        ['count', after === undefined ? `A whole number from 0 to ${MOST_BOTTLES}` : undefined],
      ],
    };
  });
};

/** Compares the counts with the log. Throws a 400 that names the lines of products not on offer, and of counts below the reservations. */
export const compareCounts = async ({ load }: Pick<Shop, 'load'>, counts: readonly Count[]): Promise<readonly Row[]> => {
  const compare = async ({ line, productId, after }: (typeof counts)[number]) => {
    const [{ state: item }, { state }] = await Promise.all([load(product, productStream(productId)), load(stock, stockStream(productId))]);
    const problems: CellProblem<(typeof COLUMNS)[number]>[] = [
      ['productId', item.status === 'offered' ? undefined : UNKNOWN],
      ['count', after < state.reserved ? `${state.reserved} are reserved for orders` : undefined],
    ];
    return { problems, row: { line, productId, before: state.isCounted ? state.onHand : null, after } };
  };
  const compared = await pMap(counts, compare, { concurrency: AT_ONCE });
  refuseWrongCells(compared.map(({ row: { line }, problems }) => ({ line, problems })));
  return compared.map(({ row }) => row);
};

export const isChanged = ({ before, after }: Row): boolean => before !== after;

/**
 * Books the counts line by line, and stops at the first error, which names its line. Lines before it stay booked; sending the file again
 * books the rest.
 */
export const bookCounts = async (
  { execute, now }: Pick<Shop, 'execute' | 'now'>,
  rows: readonly Row[],
  metadata: RequestMetadata,
): Promise<LogPosition | undefined> => {
  const book = async ({ line, productId, after }: Row) => {
    try {
      return await execute(stock, stockStream(productId), { type: 'CountStock', quantity: after, now: now() }, metadata);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      const { message, ...answer } = answerTo(error.rejection);
      throw new HttpError({ ...answer, message: `Line ${line}: ${message}. Other lines may be booked; the same file books the rest.` });
    }
  };
  const booked = await pMap(rows.filter(isChanged), book, { concurrency: AT_ONCE });
  return maxPosition(booked.map(({ position }) => position));
};
