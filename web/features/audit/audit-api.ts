import { createApi } from '@reduxjs/toolkit/query/react';
import type { Explanation } from '#domain/order/explain.ts';
import { csvText } from '#domain/shared/csv.ts';
import type { ProductView } from '#domain/product/view.ts';
import { api } from '../../lib/http/api.ts';
import { axiosBaseQuery, CACHE_SECONDS } from '../../lib/http/base-query.ts';
import { saveFile } from '../../lib/save-file.ts';
import type { LogPlace } from './audit-paths.ts';
import type {
  AuditedOrder,
  CheckFailure,
  CheckProgress,
  CheckResult,
  FoundOrders,
  LogPage,
  Prices,
  SecurityPage,
  Signatures,
  StockThen,
  OrderVerdict,
  WhatIfBatch,
  WhatIfOrder,
  WhatIfProgress,
  WhatIfSums,
} from './audit-types.ts';
import { type Ended, fetchLines, type OnProgress, parseLines, streamed } from './streamed.ts';

export const ORDER_PART = 500;
const PAGE = 50;

const orderUrl = (name: string): string => `/audit/orders/${encodeURIComponent(name)}`;

export const ndjsonOf = {
  order: (name: string) => ({ url: orderUrl(name) }),
  log: ({ category }: LogPlace) => ({ url: '/audit/events', params: { ...(category !== undefined && { category }), form: 'stored' } }),
};

export type NdjsonCall = ReturnType<(typeof ndjsonOf)[keyof typeof ndjsonOf]>;

type Download = NdjsonCall & { readonly file: string; readonly run: string };

const POSITION = /"position":"(\d+)"/g;

const lastPosition = (piece: string): number => Number([...piece.matchAll(POSITION)].at(-1)?.[1] ?? 0);

const download = async ({ file, ...call }: Download, signal: AbortSignal, onProgress: OnProgress): Promise<Ended<null>> => {
  const { pieces, end } = await fetchLines(call, signal);
  const parts: string[] = [];
  let reached = 0;
  for await (const piece of pieces) {
    parts.push(piece);
    reached = Math.max(reached, lastPosition(piece));
    if (end !== undefined && end > 0) onProgress(reached / end);
  }
  saveFile(file, 'application/x-ndjson', parts);
  return { state: 'done', result: null };
};

/** Returns a number from 0 to 1. The check reads the log once, and once more for each read model. */
const computeProgress = ({ step, steps, position, end }: CheckProgress): number =>
  (step - 1 + Math.min(1, Number(position) / Math.max(1, Number(end)))) / steps;

const doing = ({ of }: CheckProgress): string => (of === 'log' ? 'Reading the log' : `Building ${of} anew`);

const check = async (_run: string, signal: AbortSignal, onProgress: OnProgress): Promise<Ended<CheckResult>> => {
  const { pieces } = await fetchLines({ url: '/audit/verify' }, signal);
  for await (const text of parseLines(pieces)) {
    // The server is ours and writes only these types.
    const line = JSON.parse(text) as CheckProgress | CheckResult | CheckFailure;
    if ('done' in line) return { state: 'done', result: line };
    if ('failed' in line) return { state: 'failed', message: line.failed };
    onProgress(computeProgress(line), doing(line));
  }
  throw new Error('The check ended without a result');
};

/** Rules that replace the shop's own, as query parameters. A missing rule stays as it is. */
export type WhatIfParams = Readonly<Partial<Record<'rate' | 'from' | 'wrap' | 'shipping', string>>>;
/** `first` holds the orders to show; `csv` holds the parts of a file with all orders. */
export type WhatIfResult = WhatIfSums & { readonly first: readonly WhatIfOrder[]; readonly csv: readonly string[] };

const SHOWN_ORDERS = 100;

/** Returns CSV without the difference, because a spreadsheet would read its sign as the start of a formula. */
const writeCsv = (orders: readonly WhatIfOrder[]): string =>
  csvText(
    orders.map(({ orderNumber, placedAt, state, was, wouldBe }) => [orderNumber, placedAt, state, was.toFixed(2), wouldBe.toFixed(2)]),
  );

const whatIf = async (
  { params }: { readonly params: WhatIfParams; readonly run: string },
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Ended<WhatIfResult>> => {
  const { pieces } = await fetchLines({ url: '/audit/what-if', params }, signal);
  const first: WhatIfOrder[] = [];
  const csv = [csvText([['Order number', 'Placed at', 'State', 'Was', 'Would be']])];
  for await (const text of parseLines(pieces)) {
    const line = JSON.parse(text) as WhatIfProgress | WhatIfBatch | WhatIfSums | CheckFailure;
    if ('done' in line) return { state: 'done', result: { ...line, first, csv } };
    if ('failed' in line) return { state: 'failed', message: line.failed };
    if ('of' in line) onProgress(Number(line.position) / Math.max(1, Number(line.end)), 'Reading the orders');
    else {
      first.push(...line.orders.slice(0, SHOWN_ORDERS - first.length));
      csv.push(writeCsv(line.orders));
    }
  }
  throw new Error('The what-if ended without a result');
};

/** The audit's calls are never answered from the cache: old data are shown only until the new answer arrives. */
export const auditApi = createApi({
  reducerPath: 'audit',
  baseQuery: axiosBaseQuery(api),
  keepUnusedDataFor: CACHE_SECONDS,
  refetchOnMountOrArgChange: true,
  endpoints: (build) => ({
    /** Returns one part of an order's events, with the order's state after each of them. */
    order: build.query<AuditedOrder, { readonly name: string; readonly part: number }>({
      query: ({ name, part }) => ({ url: orderUrl(name), params: part === 0 ? {} : { after: part * ORDER_PART - 1 } }),
    }),
    verdict: build.query<OrderVerdict, string>({ query: (name) => ({ url: `${orderUrl(name)}/verify` }) }),
    explanation: build.query<Explanation, string>({ query: (name) => ({ url: `${orderUrl(name)}/explain` }) }),
    foundOrders: build.query<FoundOrders, string>({ query: (q) => ({ url: '/audit/orders', params: { q } }) }),
    log: build.query<LogPage, LogPlace>({ query: (place) => ({ url: '/audit/events', params: { ...place, limit: PAGE } }) }),
    signatures: build.query<Signatures, void>({ query: () => ({ url: '/audit/signatures' }) }),
    prices: build.query<Prices, { readonly id: string; readonly moment: string | null }>({
      query: ({ id, moment }) => ({
        url: `/audit/products/${encodeURIComponent(id)}/prices`,
        params: moment === null ? {} : { at: moment },
      }),
    }),
    /** Returns a product's stock after this revision or at this moment, or the current stock for null. */
    stock: build.query<StockThen, { readonly id: string; readonly at: string | null }>({
      query: ({ id, at }) => ({ url: `/audit/products/${encodeURIComponent(id)}/stock`, params: at === null ? {} : { at } }),
    }),
    /** Returns perfumes for sale whose name contains this text or is similar to it. */
    perfumes: build.query<readonly ProductView[], string>({
      query: (q) => ({ url: '/product', params: { ...(q !== '' && { q }), sort: 'name', limit: PAGE } }),
    }),
    /** Returns the entries of one kind, or of all for '', newest first. */
    security: build.infiniteQuery<SecurityPage, string, string | null>({
      query: ({ queryArg: kind, pageParam: cursor }) => ({
        url: '/audit/security',
        params: { limit: PAGE, ...(kind !== '' && { kind }), ...(cursor !== null && { cursor }) },
        fallback: 'The log could not be read. Please try again.',
      }),
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ nextCursor }) => nextCursor },
    }),
    /** Recomputes every hash chain, every order, the dashboard's figures and every read model from the first event. */
    check: build.query(streamed(check, 'The books could not be checked. Please try again.')),
    /** Returns what all orders would have cost under other rules. */
    whatIf: build.query(streamed(whatIf, 'This could not be worked out. Perhaps another what-if is under way: try again in a minute.')),
    download: build.query(streamed(download, 'The download broke off')),
  }),
});

export const { useOrderQuery, useVerdictQuery, useExplanationQuery, useFoundOrdersQuery, useLogQuery, useStockQuery } = auditApi;
export const { useSignaturesQuery, usePricesQuery, usePerfumesQuery, useSecurityInfiniteQuery } = auditApi;
export const { useLazyCheckQuery, useLazyWhatIfQuery, useLazyDownloadQuery } = auditApi;
