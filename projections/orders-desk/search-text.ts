import { folded } from '../catalogue/folded.ts';

/** A text as the desk compares it: in lower case, without accents, and without the character that Postgres has no text for. */
export const searchText = (text: string): string => folded(text.replaceAll('\0', ''));

/** Texts that an order is found by, as one. What is searched for lies within one of them, since it is in one line itself. */
export const inLines = (...texts: readonly string[]): string => texts.join('\n');
