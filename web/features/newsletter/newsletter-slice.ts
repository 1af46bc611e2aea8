import { createSlice, type CaseReducer, type PayloadAction } from '@reduxjs/toolkit';

/** Specification, section 3, without the list of subscribers, which only the back office asks for. */
type SubscriberState = { readonly loading: boolean; readonly error: string | null; readonly successMessage: string | null };
const initialState: SubscriberState = { loading: false, error: null, successMessage: null };

/** The slice only waits for the answer; the address is for the saga. */
const asked: CaseReducer<SubscriberState, PayloadAction<string>> = () => ({ ...initialState, loading: true });

/** One state for every form of the newsletter: who has just subscribed in one place is not asked again in another. */
const slice = createSlice({
  name: 'subscriber',
  initialState,
  reducers: {
    subscribeRequested: asked,
    subscribed: (_, { payload }: PayloadAction<string>): SubscriberState => ({ ...initialState, successMessage: payload }),
    subscribeFailed: (_, { payload }: PayloadAction<string>): SubscriberState => ({ ...initialState, error: payload }),
    messagesCleared: ({ loading }): SubscriberState => ({ ...initialState, loading }),
  },
  selectors: { selectSubscriber: (state) => state },
});

export const { subscribeRequested, subscribed, subscribeFailed, messagesCleared } = slice.actions;
export const { selectSubscriber } = slice.selectors;
export const newsletterSlice = slice;
