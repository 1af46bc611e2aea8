import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

type Draft = { readonly id: string; readonly text: string };

/** Answers that were typed and not sent, by message. They stay while other messages are read, and are gone with the admin's store. */
export const answerDraftsSlice = createSlice({
  name: 'answerDrafts',
  initialState: {} as Readonly<Record<string, string>>,
  reducers: {
    answerTyped: (drafts, { payload: { id, text } }: PayloadAction<Draft>) => ({ ...drafts, [id]: text }),
    answerSent: (drafts, { payload: id }: PayloadAction<string>) => {
      const { [id]: _, ...others } = drafts;
      return others;
    },
  },
});

export const { answerTyped, answerSent } = answerDraftsSlice.actions;
