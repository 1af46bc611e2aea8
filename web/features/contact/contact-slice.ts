import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { contactApi } from './contact-api.ts';

type ContactMessage = Readonly<Record<'_id' | 'name' | 'email' | 'phone' | 'message' | 'createdAt', string>>;

type ContactState = {
  readonly loading: boolean;
  readonly successMessage: string | null;
  readonly error: string | null;
  /** Visitors' messages, newest first, as far as the Site Manager has loaded them. The list is empty while the Site Manager is closed. */
  readonly contacts: readonly ContactMessage[];
};
const initialState: ContactState = { loading: false, successMessage: null, error: null, contacts: [] };

const afresh = ({ contacts }: ContactState, changes: Partial<ContactState> = {}): ContactState => ({
  ...initialState,
  contacts,
  ...changes,
});

const { matchPending, matchFulfilled, matchRejected } = contactApi.endpoints.sendMessage;

const slice = createSlice({
  name: 'contact',
  initialState,
  reducers: {
    contactReset: (state): ContactState => afresh(state),
    contactsListed: (state, { payload: contacts }: PayloadAction<readonly ContactMessage[]>): ContactState => ({ ...state, contacts }),
  },
  // Without `loading`, the answer belongs to another shopper or to a page that was left.
  extraReducers: (builder) =>
    builder
      .addMatcher(matchPending, (state): ContactState => afresh(state, { loading: true }))
      .addMatcher(matchFulfilled, (state, { payload }): ContactState =>
        state.loading ? afresh(state, { successMessage: payload }) : state,
      )
      .addMatcher(matchRejected, (state, { payload }): ContactState =>
        state.loading ? afresh(state, { error: payload?.message ?? null }) : state,
      ),
  selectors: { selectContact: (state) => state },
});

export const { contactReset, contactsListed } = slice.actions;
export const { selectContact } = slice.selectors;
export const contactSlice = slice;
