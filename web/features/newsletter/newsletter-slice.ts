import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { newsletterApi } from './newsletter-api.ts';

type Subscriber = { readonly _id: string; readonly email: string; readonly isActive: boolean };

type SubscriberState = {
  readonly loading: boolean;
  readonly error: string | null;
  readonly successMessage: string | null;
  /** Subscribers, as far as the Site Manager has loaded them. The list is empty while the Site Manager is closed. */
  readonly subscribers: readonly Subscriber[];
};
const initialState: SubscriberState = { loading: false, error: null, successMessage: null, subscribers: [] };

const afresh = ({ subscribers }: SubscriberState, changes: Partial<SubscriberState>): SubscriberState => ({
  ...initialState,
  subscribers,
  ...changes,
});

const { matchPending, matchFulfilled, matchRejected } = newsletterApi.endpoints.subscribe;

/** All newsletter forms share this state, so that a subscriber is not asked again by another form. */
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
  // Without `loading`, the answer belongs to another shopper.
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
