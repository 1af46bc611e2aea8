import type { OrderView } from '#domain/order/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { adminApi, orderUrl } from '../admin-api.ts';
import type { Remittance } from '../admin-types.ts';
import { sendCsv, type SentCsv } from '../csv/send-csv.ts';

/** These tags are invalidated after a refusal too, because the page was then outdated. */
const MONEY_MOVED = ['Orders', 'Payments'] as const;

/** The staff's commands about payments; amounts are in rupees. */
const moneyApi = adminApi.injectEndpoints({
  endpoints: (build) => ({
    refundOrder: build.mutation<OrderView, { readonly id: OrderId; readonly amount: number; readonly reason: string }>({
      query: ({ id, ...data }) => ({
        url: orderUrl(id, 'refund'),
        method: 'PUT',
        data,
        isOnce: true,
        fallback: 'The refund could not be requested. Please try again.',
      }),
      invalidatesTags: MONEY_MOVED,
    }),

    /** Notes the transfer by which collected cash went back. It is refused if another sum is to go back by now. */
    noteCashRefund: build.mutation<OrderView, { readonly id: OrderId; readonly reference: string; readonly amount: number }>({
      query: ({ id, ...data }) => ({
        url: orderUrl(id, 'refund'),
        method: 'PUT',
        data,
        isOnce: true,
        fallback: 'The refund could not be noted. Please try again.',
      }),
      invalidatesTags: MONEY_MOVED,
    }),

    collectCash: build.mutation<OrderView, { readonly id: OrderId; readonly amount: number }>({
      query: ({ id, ...data }) => ({
        url: orderUrl(id, 'cash'),
        method: 'PUT',
        data,
        isOnce: true,
        fallback: 'The cash could not be booked. Please try again.',
      }),
      invalidatesTags: MONEY_MOVED,
    }),

    sendRemittance: build.mutation<Remittance, SentCsv>({
      queryFn: (sent) => sendCsv<Remittance>('/admin/remittances', sent, { names: true }),
      invalidatesTags: (_answer, _error, { dryRun }) => (dryRun ? [] : MONEY_MOVED),
    }),
  }),
});

export const { useRefundOrderMutation, useCollectCashMutation, useNoteCashRefundMutation, useSendRemittanceMutation } = moneyApi;
