import type { ProductId } from '#domain/shared/ids.ts';
import type { StockView } from '#domain/stock/view.ts';
import { api } from '../../../lib/http/api.ts';
import { adminApi, queryResult, stockUrl } from '../admin-api.ts';
import type { Counts, StockCommand, StockedProduct } from '../admin-types.ts';
import { sendCsv, type SentCsv } from '../csv/send-csv.ts';

type StockAnswer = { readonly stock: StockView | null };

type Page = { readonly products: readonly StockedProduct[]; readonly nextCursor: string | null };

const allProducts = async (): Promise<readonly StockedProduct[]> => {
  const all: StockedProduct[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data }: { data: Page } = await api.get<Page>('/admin/stock', {
      params: { list: 'all', limit: 200, ...(cursor && { cursor }) },
    });
    all.push(...data.products);
    cursor = data.nextCursor;
  }
  return all;
};

/** The commands about stock. They refetch after a refusal too, because the page was then outdated. */
const stockApi = adminApi.injectEndpoints({
  endpoints: (build) => ({
    changeStock: build.mutation<StockView | null, { readonly id: ProductId; readonly command: StockCommand }>({
      query: ({ id, command }) => ({
        url: stockUrl(id),
        method: 'PUT',
        data: command,
        isOnce: true,
        fallback: 'The stock could not be changed. Try again: nothing is booked twice.',
      }),
      transformResponse: ({ stock }: StockAnswer) => stock,
      invalidatesTags: ['Products'],
    }),

    sendCounts: build.mutation<Counts, SentCsv>({
      queryFn: (sent) => sendCsv<Counts>('/admin/stock/import', sent),
      invalidatesTags: (_answer, _error, { dryRun }) => (dryRun ? [] : ['Products']),
    }),

    loadCounts: build.mutation<readonly StockedProduct[], void>({
      queryFn: () => queryResult(allProducts, 'The counts could not be loaded. Check your connection.'),
    }),
  }),
});

export const { useChangeStockMutation, useSendCountsMutation, useLoadCountsMutation } = stockApi;
