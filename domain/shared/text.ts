import type { Brand } from './ids.ts';

/**
 * A text that somebody typed about a person. The log stores it encrypted with that person's key, until the key is erased. An event with
 * such a text compiles only if `api/event-store/codec/schemas.ts` encrypts its field.
 */
export type PersonalText = Brand<string, 'PersonalText'>;
export const personalText = (typed: string): PersonalText => typed as PersonalText;
export const NO_TEXT = personalText('');

/** Returns whether a text has no visible character: it is empty, or has only blanks and invisible characters such as U+200B. */
export const isBlank = (text: string): boolean => /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u.test(text);

/**
 * Matches invisible characters that make a text look like another: those that reverse its direction (U+202E) or split words (U+200B). It
 * does not match those that people use: joiners of letters and emoji, direction marks of right-to-left scripts, variants, flags.
 */
const INVISIBLE = /(?![\u200c-\u200f\u061c\u{e0020}-\u{e007f}\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}/gu;

/** Removes invisible characters from typed or pasted text, so that it is stored as it is displayed. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** Most texts match: words without accents, separated by single blanks. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** Normalises a text for searches: lower case, no accents, single blanks: `  Café  ROYAL ` becomes `cafe royal`. */
export const normalizeText = (text: string): string => {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
};

/** The first digits of Arabic-Indic, Persian, Devanagari, Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada, Malayalam, full width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xff10];

/** Returns the text with digits of other scripts as 0 to 9. */
export const latinDigits = (text: string): string =>
  text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });
