import type { ProductId } from '#domain/shared/ids.ts';
import type { StockView } from '#domain/stock/view.ts';
import { api } from '../../../lib/http/api.ts';
import { createIdempotencyKeys, withIdempotencyKey } from '../../../lib/http/idempotency-keys.ts';
import { adminApi, answered, stockUrl } from '../admin-api.ts';
import type { StockCommand } from '../admin-types.ts';

const commands = createIdempotencyKeys();

type StockAnswer = { readonly stock: StockView | null };

/** The commands about bottles. Refetches after a refusal too, since what was shown is outdated. */
const stockApi = adminApi.injectEndpoints({
  endpoints: (build) => ({
    /** Sends an idempotency key, so that bottles are received or removed once when it is repeated after a lost answer. */
    changeStock: build.mutation<StockView | null, { readonly id: ProductId; readonly command: StockCommand }>({
      queryFn: ({ id, command }) => {
        const send = async (key: string) => api.put<StockAnswer>(stockUrl(id), command, { headers: { 'Idempotency-Key': key } });
        const change = async () => (await withIdempotencyKey(commands, { id, command }, send)).data.stock;
        return answered(change, 'The stock could not be changed. Try again: nothing is booked twice.');
      },
      invalidatesTags: ['Products'],
    }),
  }),
});

export const { useChangeStockMutation } = stockApi;
