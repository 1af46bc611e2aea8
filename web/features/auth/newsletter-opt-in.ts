import { writeSession, readSession } from '../../lib/session-storage.ts';

/** Which account was signed up with the wish for letters, until its code is entered: the page may be loaded again before that. */
export type LettersWish = { readonly note: (userId: string, wished: boolean) => void; readonly isOf: (userId: string) => boolean };

const NAME = 'letters-wished';

export const lettersWish: LettersWish = {
  note: (userId, wished) => writeSession(NAME, wished ? userId : undefined),
  isOf: (userId) => readSession(NAME) === userId,
};
