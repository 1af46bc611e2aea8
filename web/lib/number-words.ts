const WORDS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'] as const;

/** `Seven`, at the beginning of a sentence; from ten on the figures, `12`. */
export const numberWord = (count: number): string => WORDS[count] ?? String(count);
