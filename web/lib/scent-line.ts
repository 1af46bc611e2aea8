/** What a perfume smells of, in a line whose dots stay at the ends of lines where it is broken. */
export const scentLine = (details: string): string => details.replaceAll(' · ', '\u00A0· ');
