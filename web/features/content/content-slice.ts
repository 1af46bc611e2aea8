import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { SiteContent } from './site-content-types.ts';

type ContentState = { readonly content: SiteContent | null; readonly failed: boolean };
const initialState: ContentState = { content: null, failed: false };

const slice = createSlice({
  name: 'content',
  initialState,
  reducers: {
    contentRequested: (state) => ({ ...state, failed: false }),
    contentLoaded: (_, { payload }: PayloadAction<SiteContent>): ContentState => ({ content: payload, failed: false }),
    contentFailed: (state) => ({ ...state, failed: true }),
  },
  selectors: {
    /** Null until the content has loaded; the header shows 'Loading...' until then. */
    selectContent: (state) => state.content,
    selectContentFailed: (state) => state.failed,
  },
});

export const { contentRequested, contentLoaded, contentFailed } = slice.actions;
export const { selectContent, selectContentFailed } = slice.selectors;
export const contentSlice = slice;
