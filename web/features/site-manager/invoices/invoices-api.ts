import type { InvoiceNumber } from '#domain/invoice/events.ts';
import type { InvoiceView } from '#domain/invoice/view.ts';
import type { OrderId, OrderNumber } from '#domain/shared/ids.ts';
import type { CalendarDate } from '#domain/shared/time.ts';
import { pagedBy, type PageStart, type ListPage } from '../../../lib/paged-list.ts';
import { adminApi, type Cursored, LINES, toPage } from '../admin-api.ts';

/** Both days are included. */
export type Days = { readonly from?: CalendarDate; readonly to?: CalendarDate };

/** A credit note has the number of its invoice, its place among the credit notes of its order, and amounts below 0. */
type Listed = Omit<InvoiceView, 'creditNotes'> & {
  readonly orderId: OrderId;
  readonly orderNumber: OrderNumber;
  readonly invoiceNumber?: InvoiceNumber;
  readonly nth?: number;
};
export type InvoiceRow = Listed & { readonly _id: string };

/** The sums of a place of supply and a rate, less credit notes. They are negative when more was returned than sold. */
export type TaxedSums = Pick<InvoiceView, 'taxableValue' | 'cgst' | 'sgst' | 'igst'> & { readonly state: string; readonly rate: number };

export const invoicesApi = adminApi.injectEndpoints({
  endpoints: (build) => ({
    invoices: build.infiniteQuery<ListPage<InvoiceRow>, Days & { readonly q?: string }, PageStart>({
      query: ({ queryArg, pageParam }) => ({
        fallback: 'The invoices could not be loaded. Check your connection.',
        url: '/admin/invoices',
        params: { ...queryArg, ...pageParam },
      }),
      transformResponse: (answer: Cursored<'invoices', Listed>) =>
        toPage(
          answer,
          answer.invoices.map((invoice) => ({ ...invoice, _id: invoice.number })),
        ),
      infiniteQueryOptions: pagedBy(LINES),
      providesTags: ['Invoices'],
    }),

    taxSummary: build.query<readonly TaxedSums[], Days>({
      query: (params) => ({ url: '/admin/invoices/summary', params, fallback: 'The summary could not be loaded. Check your connection.' }),
      transformResponse: ({ rows }: { readonly rows: readonly TaxedSums[] }) => rows,
      providesTags: ['Invoices'],
    }),
  }),
});

export const { useInvoicesInfiniteQuery, useTaxSummaryQuery } = invoicesApi;
