import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { newsletterApi } from './newsletter-api.ts';

type Subscriber = { readonly _id: string; readonly email: string; readonly isActive: boolean };

type SubscriberState = {
  readonly loading: boolean;
  readonly error: string | null;
  readonly successMessage: string | null;
  /** As far as the Site Manager has loaded them, and only while it is open. */
  readonly subscribers: readonly Subscriber[];
};
const initialState: SubscriberState = { loading: false, error: null, successMessage: null, subscribers: [] };

const afresh = ({ subscribers }: SubscriberState, changes: Partial<SubscriberState>): SubscriberState => ({
  ...initialState,
  subscribers,
  ...changes,
});

const { matchPending, matchFulfilled, matchRejected } = newsletterApi.endpoints.subscribe;

/** Shared by all newsletter forms: after subscribing in one place the others do not ask again. */
const slice = createSlice({
  name: 'subscriber',
  initialState,
  reducers: {
    messagesCleared: (state): SubscriberState => afresh(state, { loading: state.loading }),
    subscribersListed: (state, { payload: subscribers }: PayloadAction<readonly Subscriber[]>): SubscriberState => ({
      ...state,
      subscribers,
    }),
  },
  // What is no longer waited for was asked by another shopper.
  extraReducers: (builder) =>
    builder
      .addMatcher(matchPending, (state): SubscriberState => afresh(state, { loading: true }))
      .addMatcher(matchFulfilled, (state, { payload }): SubscriberState =>
        state.loading ? afresh(state, { successMessage: payload }) : state,
      )
      .addMatcher(matchRejected, (state, { payload }): SubscriberState =>
        state.loading ? afresh(state, { error: payload?.message ?? null }) : state,
      ),
  selectors: { selectSubscriber: (state) => state },
});

export const { messagesCleared, subscribersListed } = slice.actions;
export const { selectSubscriber } = slice.selectors;
export const newsletterSlice = slice;
