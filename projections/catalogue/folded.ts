/** A text as searches compare it: lower case, no accents, single blanks: `  Café  ROYAL ` → `cafe royal`. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
