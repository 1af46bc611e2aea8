import { createSlice } from '@reduxjs/toolkit';
import { contactApi } from './contact-api.ts';

type ContactState = { readonly loading: boolean; readonly successMessage: string | null; readonly error: string | null };
const initialState: ContactState = { loading: false, successMessage: null, error: null };

const { matchPending, matchFulfilled, matchRejected } = contactApi.endpoints.sendMessage;

const slice = createSlice({
  name: 'contact',
  initialState,
  reducers: { contactReset: (): ContactState => initialState },
  // What is no longer waited for was sent by another shopper, or on a page that was left.
  extraReducers: (builder) =>
    builder
      .addMatcher(matchPending, (): ContactState => ({ ...initialState, loading: true }))
      .addMatcher(matchFulfilled, (state, { payload }): ContactState =>
        state.loading ? { ...initialState, successMessage: payload } : state,
      )
      .addMatcher(matchRejected, (state, { payload }): ContactState =>
        state.loading ? { ...initialState, error: payload?.message ?? null } : state,
      ),
  selectors: { selectContact: (state) => state },
});

export const { contactReset } = slice.actions;
export const { selectContact } = slice.selectors;
export const contactSlice = slice;
