import type { OrderView } from '#domain/order/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { api } from '../../../lib/http/api.ts';
import { adminApi, answered, orderUrl } from '../admin-api.ts';
import type { Remittance } from '../admin-types.ts';

/** Also after a refusal: what the page showed was outdated. */
const MONEY_MOVED = ['Orders', 'Payments'] as const;

type SentRemittance = {
  readonly file: ArrayBuffer;
  /** Says what would be booked, and books nothing. */
  readonly dryRun: boolean;
  /** Gets the share that was sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
};

/** The desk's commands about money; amounts are in rupees. */
const moneyApi = adminApi.injectEndpoints({
  endpoints: (build) => ({
    refundOrder: build.mutation<OrderView, { readonly id: OrderId; readonly amount: number; readonly reason: string }>({
      query: ({ id, ...data }) => ({
        url: orderUrl(id, 'refund'),
        method: 'PUT',
        data,
        fallback: 'The refund could not be requested',
      }),
      invalidatesTags: MONEY_MOVED,
    }),

    collectCash: build.mutation<OrderView, { readonly id: OrderId; readonly amount: number }>({
      query: ({ id, ...data }) => ({ url: orderUrl(id, 'cash'), method: 'PUT', data, fallback: 'The cash could not be booked' }),
      invalidatesTags: MONEY_MOVED,
    }),

    /** The same file again changes nothing, so that it may be sent again after a lost answer. */
    sendRemittance: build.mutation<Remittance, SentRemittance>({
      queryFn: ({ file, dryRun, onProgress }) => {
        const send = async () =>
          api.post<Remittance>('/admin/remittances', file, {
            params: dryRun ? { dryRun: true } : {},
            headers: { 'Content-Type': 'text/csv' },
            onUploadProgress: ({ loaded, total }) => onProgress(total === undefined || total === 0 ? 0 : loaded / total),
          });
        return answered(async () => (await send()).data, dryRun ? 'The file could not be checked' : 'The file could not be booked');
      },
      invalidatesTags: (_answer, _error, { dryRun }) => (dryRun ? [] : MONEY_MOVED),
    }),
  }),
});

export const { useRefundOrderMutation, useCollectCashMutation, useSendRemittanceMutation } = moneyApi;
