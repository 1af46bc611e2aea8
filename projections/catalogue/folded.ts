/** Words without accents, parted by single blanks: most texts. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** A text as searches compare it: lower case, no accents, single blanks: `  Café  ROYAL ` → `cafe royal`. */
export const folded = (text: string): string => {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
};
