import pMap from 'p-map';
import { maxPosition, type LogPosition } from '#domain/event-store.ts';
import { product, productStream } from '#domain/product/product.ts';
import { isProductId, type ProductId } from '#domain/shared/ids.ts';
import { MOST_BOTTLES, stock, stockStream } from '#domain/stock/stock.ts';

import { Rejected, type RequestMetadata } from '../../command-handler/execute.ts';
import type { Shop } from '../../shop.ts';
import { csvLines, type CsvLine, listRows, refuseWrongCells } from '../../http/csv-file.ts';
import { HttpError } from '../../http/http-error.ts';
import { answerTo } from '../../http/rejection-answers.ts';

/** The counts of a line are bottles. The header is line 1. */
type Count = { readonly line: number; readonly productId: ProductId; readonly after: number };
/** `before` is null when the product was not counted. */
type Row = Count & { readonly before: number | null };

/** Rows worked on at a time: enough to share the commits of the store. */
const AT_ONCE = 50;

const COLUMNS = ['productId', 'count'] as const;
/** The template has the name of each product too. */
const TEMPLATE = ['name'] as const;
const UNKNOWN = 'Product not found';

const parseCount = (text: string): number | undefined =>
  /^\d{1,7}$/.test(text) && Number(text) <= MOST_BOTTLES ? Number(text) : undefined;

/** Parses a file of counts, with what is wrong in each line. A line of the template without a count is left out. */
export const parseCounts = (text: string): readonly CsvLine<Count>[] => {
  const firstLines = new Map<string, number>();
  return csvLines(
    text,
    COLUMNS,
    ([id = '', written = '', name], line) => {
      if (name !== undefined && written === '') return { row: undefined, problems: [] };
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
    },
    TEMPLATE,
  );
};

const compare = async ({ load }: Pick<Shop, 'load'>, { line, productId, after }: Count): Promise<CsvLine<Row>> => {
  const [{ state: item }, { state }] = await Promise.all([load(product, productStream(productId)), load(stock, stockStream(productId))]);
  return {
    line,
    problems: [
      ['productId', item.status === 'offered' ? undefined : UNKNOWN],
      ['count', after < state.reserved ? `${state.reserved} are reserved for orders` : undefined],
    ],
    row: { line, productId, before: state.isCounted ? state.onHand : null, after },
  };
};

/**
 * Compares the counts with the log. Throws a 400 that names every wrong line: those that cannot be read, products not on offer, and counts
 * below the reservations.
 */
export const compareCounts = async (parts: Pick<Shop, 'load'>, lines: readonly CsvLine<Count>[]): Promise<readonly Row[]> => {
  const compareLine = async (line: CsvLine<Count>): Promise<CsvLine<Row>> => {
    if (line.row === undefined) return { ...line, row: undefined };
    const compared = await compare(parts, line.row);
    return { ...compared, problems: [...line.problems, ...compared.problems] };
  };
  const compared = await pMap(lines, compareLine, { concurrency: AT_ONCE });
  refuseWrongCells(compared);
  return listRows(compared);
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
