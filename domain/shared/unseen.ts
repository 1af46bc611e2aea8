/**
 * What shows nothing itself, and makes a text read as another one: it turns what follows around (U+202E), or parts words that look whole
 * (U+200B). Not what people type: joiners of letters and emoji, marks beside a script written from the right, variants, flags.
 */
const UNSEEN = /(?![\u200c-\u200f\u061c\u{e0020}-\u{e007f}\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}/gu;

/** What somebody typed or pasted as everybody sees it: in the order in which it is kept, and with nothing between its letters. */
export const withoutUnseen = (text: string): string => text.replace(UNSEEN, '');
