import { createSlice } from '@reduxjs/toolkit';
import { newsletterApi } from './newsletter-api.ts';

type SubscriberState = { readonly loading: boolean; readonly error: string | null; readonly successMessage: string | null };
const initialState: SubscriberState = { loading: false, error: null, successMessage: null };

const { matchPending, matchFulfilled, matchRejected } = newsletterApi.endpoints.subscribe;

/** Shared by all newsletter forms: after subscribing in one place the others do not ask again. */
const slice = createSlice({
  name: 'subscriber',
  initialState,
  reducers: { messagesCleared: ({ loading }): SubscriberState => ({ ...initialState, loading }) },
  // What is no longer waited for was asked by another shopper.
  extraReducers: (builder) =>
    builder
      .addMatcher(matchPending, (): SubscriberState => ({ ...initialState, loading: true }))
      .addMatcher(matchFulfilled, (state, { payload }): SubscriberState =>
        state.loading ? { ...initialState, successMessage: payload } : state,
      )
      .addMatcher(matchRejected, (state, { payload }): SubscriberState =>
        state.loading ? { ...initialState, error: payload?.errors?.['email'] ?? payload?.message ?? null } : state,
      ),
  selectors: { selectSubscriber: (state) => state },
});

export const { messagesCleared } = slice.actions;
export const { selectSubscriber } = slice.selectors;
export const newsletterSlice = slice;
