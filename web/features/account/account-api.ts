import type { CheckoutFields, SavedAddress } from '#domain/order/checkout.ts';
import { isUnderWay } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { Instant } from '#domain/shared/time.ts';
import type { CallError } from '../../lib/http/api.ts';
import { getMessageText } from '../../lib/http/base-query.ts';
import { nextCursor } from '../../lib/http/next-cursor.ts';
import { shopApi } from '../../lib/http/shop-api.ts';
import { saveFile } from '../../lib/save-file.ts';

/** The part of the signed-in user that this page changes. `phone` is empty when the user gave none. */
export type AccountHolder = { readonly name: string; readonly email: string; readonly phone: string; readonly totp: boolean };

/** What the page shows beside the user. `totpSince` is null without a second factor. */
export type Account = {
  readonly createdAt: Instant;
  readonly hasPassword: boolean;
  readonly google: boolean;
  readonly totpSince: Instant | null;
  readonly recoveryCodesLeft: number;
};

/** `device` and `address` are null where the shop has not noted them. */
export type Session = {
  readonly _id: string;
  readonly device: string | null;
  readonly address: string | null;
  readonly lastUsedAt: Instant;
  readonly current: boolean;
};

type AddressToSave = CheckoutFields['shipping'] & { readonly _id?: string; readonly isDefault?: boolean };

/** A seed as text, and for authenticators. */
export type Seed = { readonly secret: string; readonly otpauthUrl: string };

/** Shows the server's `Wrong password` at the field with this name. */
export const blameWrongPassword =
  (field: string) =>
  ({ code, message, errors = {} }: CallError): Readonly<Record<string, string>> =>
    code === 'wrong_password' ? { [field]: message } : errors;

/** The server's header gives the file the same name. */
const FILE = 'ruhani-my-data.json';

/** The server gives at most so many orders at once. */
const PAGE = 200;

/**
 * Export and erasure return the message to show. They fail with 403 `sign_in_again` when the sign-in is more than 15 minutes old; an erasure fails
 * so only if the account has no password.
 */
const accountApi = shopApi.enhanceEndpoints({ addTagTypes: ['Account', 'Sessions', 'Addresses'] }).injectEndpoints({
  endpoints: (build) => ({
    account: build.query<Account, void>({
      query: () => ({ url: '/user/account', fallback: 'Your account could not be loaded. Please try again.' }),
      providesTags: ['Account'],
    }),
    changeProfile: build.mutation<AccountHolder, { readonly name: string; readonly phone: string }>({
      query: (data) => ({ url: '/user/profile', method: 'PUT', data, fallback: 'Your details could not be saved. Please try again.' }),
    }),
    changePassword: build.mutation<string, { readonly current: string; readonly password: string; readonly confirm_password: string }>({
      query: (data) => ({ url: '/user/password', method: 'PUT', data, fallback: 'Your password could not be changed. Please try again.' }),
      transformResponse: getMessageText,
      invalidatesTags: ['Account', 'Sessions'],
    }),
    /** Mails a code to the new address. */
    changeEmail: build.mutation<unknown, { readonly email: string; readonly password: string }>({
      query: (data) => ({ url: '/user/email', method: 'POST', data, fallback: 'The code could not be sent. Please try again.' }),
    }),
    confirmEmail: build.mutation<AccountHolder, string>({
      query: (code) => ({
        url: '/user/email/confirm',
        method: 'POST',
        data: { code },
        fallback: 'Your address could not be changed. Please try again.',
      }),
    }),
    takeBackEmail: build.mutation<string, string>({
      query: (token) => ({
        url: '/user/email/take-back',
        method: 'POST',
        data: { token },
        fallback: 'The address could not be taken back. Please try again.',
      }),
      transformResponse: getMessageText,
    }),
    sessions: build.query<readonly Session[], void>({
      query: () => ({ url: '/user/sessions', fallback: 'Your sessions could not be loaded. Please try again.' }),
      transformResponse: ({ sessions }: { readonly sessions: readonly Session[] }) => sessions,
      providesTags: ['Sessions'],
    }),
    endSession: build.mutation<unknown, string>({
      query: (id) => ({
        url: `/user/sessions/${id}`,
        method: 'DELETE',
        fallback: 'The device could not be signed out. Please try again.',
      }),
      invalidatesTags: ['Sessions'],
    }),
    beginSecondFactor: build.mutation<Seed, void>({
      query: () => ({
        url: '/user/totp/begin',
        method: 'POST',
        data: {},
        fallback: 'The second factor could not be turned on. Please try again.',
      }),
    }),
    /** Returns the recovery codes, which the server shows this once. */
    confirmSecondFactor: build.mutation<readonly string[], string>({
      query: (code) => ({
        url: '/user/totp/confirm',
        method: 'POST',
        data: { code },
        isOnce: true,
        fallback: 'The second factor could not be turned on. Please try again.',
      }),
      transformResponse: ({ recoveryCodes }: { readonly recoveryCodes: readonly string[] }) => recoveryCodes,
      invalidatesTags: ['Account'],
    }),
    removeSecondFactor: build.mutation<unknown, { readonly password: string; readonly code: string }>({
      query: (data) => ({
        url: '/user/totp/remove',
        method: 'POST',
        data,
        fallback: 'The second factor could not be turned off. Please try again.',
      }),
      invalidatesTags: ['Account'],
    }),
    /** Returns the addresses that the shopper keeps, the default first. The checkout adds some too. */
    addresses: build.query<readonly SavedAddress[], void>({
      keepUnusedDataFor: 0,
      query: () => ({ url: '/user/addresses', fallback: 'Your addresses could not be loaded. Please try again.' }),
      transformResponse: ({ addresses }: { readonly addresses: readonly SavedAddress[] }) => addresses,
      providesTags: ['Addresses'],
    }),
    /** Adds an address, or replaces the one with this `_id`. */
    saveAddress: build.mutation<SavedAddress, AddressToSave>({
      query: ({ _id, ...data }) => ({
        url: _id === undefined ? '/user/addresses' : `/user/addresses/${_id}`,
        method: _id === undefined ? 'POST' : 'PUT',
        data,
        fallback: 'The address could not be saved. Please try again.',
      }),
      invalidatesTags: ['Addresses'],
    }),
    removeAddress: build.mutation<string, string>({
      query: (id) => ({ url: `/user/addresses/${id}`, method: 'DELETE', fallback: 'The address could not be removed. Please try again.' }),
      transformResponse: getMessageText,
      invalidatesTags: ['Addresses'],
    }),
    /** The data are saved to a file only and never enter the store. */
    downloadData: build.mutation<string, void>({
      queryFn: async (_, _store, _extra, baseQuery) => {
        const { data, error } = await baseQuery({ url: '/user/export', fallback: 'Your data could not be downloaded. Please try again.' });
        if (error) return { error };
        saveFile(FILE, 'application/json', [JSON.stringify(data, null, 2)]);
        return { data: `Your data are on their way to your downloads, as ${FILE}.` };
      },
    }),
    /** Returns the shopper's orders that are neither delivered nor cancelled, newest first. They are not kept. */
    openOrders: build.query<readonly OrderView[], void>({
      keepUnusedDataFor: 0,
      queryFn: async (_, _store, _extra, baseQuery) => {
        const open: OrderView[] = [];
        for (let cursor: string | undefined; ;) {
          const params = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
          const call = { url: '/order/get-AllOrders', params, fallback: 'Your orders could not be looked through. Please try again.' };
          const { data, error, meta } = await baseQuery(call);
          if (error) return { error };
          open.push(...(data as { readonly orders: readonly OrderView[] }).orders.filter(({ status }) => isUnderWay(status)));
          cursor = nextCursor(meta?.link);
          if (cursor === undefined) return { data: open };
        }
      },
    }),
    eraseAccount: build.mutation<string, string>({
      query: (password) => ({
        url: '/user/erase',
        method: 'POST',
        data: { password },
        fallback: 'Your account could not be erased. Please try again.',
      }),
      transformResponse: getMessageText,
    }),
  }),
});

export const {
  useAccountQuery,
  useChangeProfileMutation,
  useChangePasswordMutation,
  useChangeEmailMutation,
  useConfirmEmailMutation,
  useTakeBackEmailMutation,
  useSessionsQuery,
  useEndSessionMutation,
  useBeginSecondFactorMutation,
  useConfirmSecondFactorMutation,
  useRemoveSecondFactorMutation,
  useDownloadDataMutation,
  useEraseAccountMutation,
  useOpenOrdersQuery,
} = accountApi;
export const { useAddressesQuery, useSaveAddressMutation, useRemoveAddressMutation } = accountApi;
