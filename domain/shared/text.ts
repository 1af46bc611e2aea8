/** Whether a text has no visible character: it is empty, or has only blanks and invisible characters such as U+200B. */
export const isBlank = (text: string): boolean => /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u.test(text);
