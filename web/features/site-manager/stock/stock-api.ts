import type { ProductId } from '#domain/shared/ids.ts';
import type { StockView } from '#domain/stock/view.ts';
import { api } from '../../../lib/http/api.ts';
import { createIdempotencyKeys, withIdempotencyKey } from '../../../lib/http/idempotency-keys.ts';
import { adminApi, queryResult, stockUrl } from '../admin-api.ts';
import type { CountedProduct, Counts, StockCommand } from '../admin-types.ts';
import { sendCsv, type SentCsv } from '../csv/send-csv.ts';

const commands = createIdempotencyKeys();

type StockAnswer = { readonly stock: StockView | null };

type Page = { readonly products: readonly CountedProduct[]; readonly nextCursor: string | null };

const allCounted = async (): Promise<readonly CountedProduct[]> => {
  const all: CountedProduct[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data }: { data: Page } = await api.get<Page>('/admin/stock', { params: { limit: 200, ...(cursor && { cursor }) } });
    all.push(...data.products);
    cursor = data.nextCursor;
  }
  return all;
};

/** The commands about stock. They refetch after a refusal too, because the page was then outdated. */
const stockApi = adminApi.injectEndpoints({
  endpoints: (build) => ({
    /** Sends an idempotency key, so that a repetition after a lost answer receives or removes the bottles once. */
    changeStock: build.mutation<StockView | null, { readonly id: ProductId; readonly command: StockCommand }>({
      queryFn: ({ id, command }) => {
        const send = async (key: string) => api.put<StockAnswer>(stockUrl(id), command, { headers: { 'Idempotency-Key': key } });
        const change = async () => (await withIdempotencyKey(commands, { id, command }, send)).data.stock;
        return queryResult(change, 'The stock could not be changed. Try again: nothing is booked twice.');
      },
      invalidatesTags: ['Products'],
    }),

    sendCounts: build.mutation<Counts, SentCsv>({
      queryFn: (sent) => sendCsv<Counts>('/admin/stock/import', sent),
      invalidatesTags: (_answer, _error, { dryRun }) => (dryRun ? [] : ['Products']),
    }),

    loadCounts: build.mutation<readonly CountedProduct[], void>({
      queryFn: () => queryResult(allCounted, 'The counts could not be loaded'),
    }),
  }),
});

export const { useChangeStockMutation, useSendCountsMutation, useLoadCountsMutation } = stockApi;
