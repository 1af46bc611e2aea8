import { createSlice, type CaseReducer, type PayloadAction } from '@reduxjs/toolkit';

type SubscriberState = { readonly loading: boolean; readonly error: string | null; readonly successMessage: string | null };
const initialState: SubscriberState = { loading: false, error: null, successMessage: null };

/** Only marks the request as pending; the saga reads the payload. */
const requested: CaseReducer<SubscriberState, PayloadAction<string>> = () => ({ ...initialState, loading: true });

/** Shared by all newsletter forms: after subscribing in one place the others do not ask again. */
const slice = createSlice({
  name: 'subscriber',
  initialState,
  reducers: {
    subscribeRequested: requested,
    subscribed: (_, { payload }: PayloadAction<string>): SubscriberState => ({ ...initialState, successMessage: payload }),
    subscribeFailed: (_, { payload }: PayloadAction<string>): SubscriberState => ({ ...initialState, error: payload }),
    messagesCleared: ({ loading }): SubscriberState => ({ ...initialState, loading }),
  },
  selectors: { selectSubscriber: (state) => state },
});

export const { subscribeRequested, subscribed, subscribeFailed, messagesCleared } = slice.actions;
export const { selectSubscriber } = slice.selectors;
export const newsletterSlice = slice;
