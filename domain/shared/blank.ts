/** Whether nothing of a text can be seen: it is empty, or has only blanks and characters without a shape, such as U+200B. */
export const isBlank = (text: string): boolean => /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u.test(text);
