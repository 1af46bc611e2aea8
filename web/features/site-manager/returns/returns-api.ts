import type { ReturnDecision } from '#domain/order/events.ts';
import type { OrderView, ReturnView } from '#domain/order/view.ts';
import type { OrderId, OrderNumber } from '#domain/shared/ids.ts';
import { pagedBy, type ListPage, type PageStart } from '../../../lib/paged-list.ts';
import { adminApi, type Cursored, LINES, toPage } from '../admin-api.ts';

export const returnLists = ['waiting', 'requested', 'accepted', 'to_refund'] as const;
/** A list of `GET /admin/returns?status=`; '' has all of them. */
export type ReturnList = (typeof returnLists)[number] | '';

export type ReturnRow = ReturnView & { readonly orderId: OrderId; readonly orderNumber: OrderNumber; readonly order: OrderView };
export type ReturnCounts = Readonly<Record<'requested' | 'accepted' | 'to_refund', number>>;

/** The body of `PUT /admin/return/:id`, but for the return's number. */
export type Handling =
  { readonly decision: ReturnDecision; readonly note?: string } | { readonly received: true; readonly restock: boolean };

const RETURN_CHANGED = ['Orders', 'Sales', 'Figures', 'Payments', 'Products', 'Invoices'] as const;

export const returnsApi = adminApi.injectEndpoints({
  endpoints: (build) => ({
    returns: build.infiniteQuery<ListPage<ReturnRow> & { readonly counts: ReturnCounts }, ReturnList, PageStart>({
      query: ({ queryArg: status, pageParam }) => ({
        fallback: 'The returns could not be loaded. Check your connection.',
        url: '/admin/returns',
        params: { ...(status !== '' && { status }), ...pageParam },
      }),
      transformResponse: ({ counts, ...answer }: Cursored<'returns', ReturnRow> & { readonly counts: ReturnCounts }) => ({
        ...toPage(answer, answer.returns),
        counts,
      }),
      infiniteQueryOptions: pagedBy(LINES),
      providesTags: ['Orders', 'Payments'],
    }),

    /** Decides on a return by its number, or receives it. A page that is outdated is refused, and then refetched. */
    handleReturn: build.mutation<OrderView, { readonly id: OrderId; readonly return: number } & Handling>({
      query: ({ id, ...data }) => ({
        url: `/admin/return/${encodeURIComponent(id)}`,
        method: 'PUT',
        data,
        fallback: 'The return could not be changed. Please try again.',
      }),
      invalidatesTags: RETURN_CHANGED,
    }),
  }),
});

export const { useReturnsInfiniteQuery, useHandleReturnMutation } = returnsApi;
