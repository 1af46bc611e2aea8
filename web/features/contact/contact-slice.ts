import { createSlice, type CaseReducer, type PayloadAction } from '@reduxjs/toolkit';
import type { FieldErrors } from '../../lib/use-focus-first-error.ts';
import type { ContactValues } from './contact-api.ts';

type ContactState = {
  readonly loading: boolean;
  readonly successMessage: string | null;
  readonly error: string | null;
  readonly fieldErrors: FieldErrors;
};
const initialState: ContactState = { loading: false, successMessage: null, error: null, fieldErrors: {} };

export type ContactFailure = { readonly message: string; readonly fields: FieldErrors };

/** Only marks the request as pending; the saga reads the payload. */
const requested: CaseReducer<ContactState, PayloadAction<ContactValues>> = () => ({ ...initialState, loading: true });

const slice = createSlice({
  name: 'contact',
  initialState,
  reducers: {
    messageSendRequested: requested,
    messageSent: (_, { payload }: PayloadAction<string>): ContactState => ({ ...initialState, successMessage: payload }),
    messageFailed: (_, { payload: { message, fields } }: PayloadAction<ContactFailure>): ContactState => ({
      ...initialState,
      error: message,
      fieldErrors: fields,
    }),
    contactReset: (): ContactState => initialState,
  },
  selectors: { selectContact: (state) => state },
});

export const { messageSendRequested, messageSent, messageFailed, contactReset } = slice.actions;
export const { selectContact } = slice.selectors;
export const contactSlice = slice;
