import type { OrderStatus, ReturnStatus } from '#domain/order/rules.ts';
import type { ShippingAddress } from '#domain/order/events.ts';
import type { PaymentStatus } from '#domain/payment/rules.ts';
import type { OrderId, OrderNumber, ProductId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';
import { getMessageText } from '../../../lib/http/base-query.ts';
import { pagedBy, type ListPage, type PageStart } from '../../../lib/paged-list.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { adminApi, type Cursored, LINES, ORDER_MOVED, toPage } from '../admin-api.ts';
import { today } from '../calendar-days.ts';

/**
 * A row of `GET /admin/customers`: an account, or all guest orders with one e-mail address. `orders` counts placed orders; `total` is in rupees,
 * without cancelled orders and those that came back.
 */
export type CustomerRow = {
  readonly _id: string;
  readonly name: string;
  readonly email: string;
  readonly orders: number;
  readonly total: number;
  readonly guest: boolean;
  readonly lastOrderAt: Instant | null;
};

/** The length of each list. */
export type CustomerCounts = Readonly<Record<'all' | 'accounts' | 'guests', number>>;

export type CustomerOrder = {
  readonly _id: OrderId;
  readonly orderNumber: OrderNumber;
  readonly placedAt: Instant;
  readonly status: OrderStatus;
  readonly paymentMethod: 'COD' | 'Prepaid';
  readonly paymentStatus: PaymentStatus;
  /** In rupees. */
  readonly total: number;
};

/** What staff did because somebody asked by letter. `by` is the name of a member of staff. */
export type Letter = { readonly kind: 'export' | 'erasure'; readonly reason: string; readonly at: Instant; readonly by: string };

/**
 * The answer of `GET /admin/customers/:id`. Sums are in rupees; `average` is that of the orders in `spent`, and `cameBack` counts the orders that
 * came back as a whole. `orders` are the newest 200. A guest has no addresses.
 */
export type Customer = Pick<CustomerRow, '_id' | 'name' | 'email' | 'guest'> & {
  readonly phone: string;
  /** When the account was opened, or the guest's first order was placed. */
  readonly since: Instant;
  readonly sums: { readonly spent: number; readonly orders: number; readonly average: number; readonly cameBack: number };
  readonly orders: readonly CustomerOrder[];
  readonly returns: readonly {
    readonly orderId: OrderId;
    readonly orderNumber: OrderNumber;
    readonly status: ReturnStatus;
    readonly requestedAt: Instant;
  }[];
  readonly addresses: readonly (Omit<ShippingAddress, 'email'> & { readonly _id: string; readonly isDefault: boolean })[];
  readonly requests: {
    readonly messages: readonly {
      readonly _id: string;
      readonly message: string;
      readonly at: Instant;
      readonly state: 'new' | 'answered';
      readonly answeredBy?: string;
    }[];
    /** Perfumes of which the customer wants to hear when they are back. A deleted one has no name. */
    readonly notices: readonly { readonly productId: ProductId; readonly productName?: string; readonly at: Instant }[];
    readonly letters: readonly Letter[];
  };
};

export type CustomerFilter = { readonly guest?: boolean; readonly q?: string };

type CustomersAnswer = Cursored<'customers', CustomerRow> & { readonly counts?: CustomerCounts };

/** The body of `POST /admin/customers/:id/export` and `/erase`. */
type ByLetter = { readonly id: string; readonly reason: string };

const LIST = '/admin/customers';
const customerUrl = (id: string, command = ''): string => `${LIST}/${encodeURIComponent(id)}${command}`;

export const customersApi = adminApi.enhanceEndpoints({ addTagTypes: ['Letters'] }).injectEndpoints({
  endpoints: (build) => ({
    /** Newest order first. The first page has `counts`, unless it is that of a search. */
    customers: build.infiniteQuery<ListPage<CustomerRow> & { readonly counts?: CustomerCounts | undefined }, CustomerFilter, PageStart>({
      query: ({ queryArg, pageParam }) => ({
        fallback: 'The customers could not be loaded. Check your connection.',
        url: LIST,
        params: { ...queryArg, ...pageParam },
      }),
      transformResponse: ({ counts, ...answer }: CustomersAnswer) => ({ ...toPage(answer, answer.customers), counts }),
      infiniteQueryOptions: pagedBy(LINES),
      providesTags: ['Orders'],
    }),

    /** Asked for during a search, whose pages have no counts. */
    customerCounts: build.query<CustomerCounts | undefined, void>({
      query: () => ({ url: LIST, params: { limit: 1 } }),
      transformResponse: ({ counts }: CustomersAnswer) => counts,
      providesTags: ['Orders'],
    }),

    /** The customer with this id, or with the order of this id. An unknown or erased one is 404. */
    customer: build.query<Customer, string>({
      query: (id) => ({ url: customerUrl(id), fallback: 'The customer could not be loaded. Check your connection.' }),
      providesTags: ['Orders', 'Payments', 'Messages', 'Letters'],
    }),

    /** Saves all data of a customer to a file, and returns its name. The data never enter the store. */
    exportCustomer: build.mutation<string, ByLetter>({
      queryFn: async ({ id, reason }, _store, _extra, baseQuery) => {
        const fallback = 'The data could not be gathered. Please try again.';
        const { data, error } = await baseQuery({ url: customerUrl(id, '/export'), method: 'POST', data: { reason }, fallback });
        if (error) return { error };
        const file = `ruhani-data-${today()}.json`;
        saveFile(file, 'application/json', [JSON.stringify(data, null, 2)]);
        return { data: file };
      },
      invalidatesTags: ['Letters'],
    }),

    /** Erases all data of a customer, and returns the server's message. Fails with 409 while a parcel is on its way. */
    eraseCustomer: build.mutation<string, ByLetter>({
      query: ({ id, ...data }) => ({
        url: customerUrl(id, '/erase'),
        method: 'POST',
        data,
        fallback: 'The data could not be erased. Please try again.',
      }),
      transformResponse: getMessageText,
      invalidatesTags: [...ORDER_MOVED, 'Invoices', 'Products', 'Messages', 'Reviews', 'Subscribers'],
    }),
  }),
});

export const { useCustomersInfiniteQuery, useCustomerCountsQuery, useCustomerQuery } = customersApi;
export const { useExportCustomerMutation, useEraseCustomerMutation } = customersApi;
