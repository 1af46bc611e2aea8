/** Keeps each dot on the same line as the word before it. */
export const scentLine = (details: string): string => details.replaceAll(' · ', '\u00A0· ');
