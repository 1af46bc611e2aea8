const india = new Intl.NumberFormat('en-IN');

/** `2,30,000` */
export const formatNumber = (number: number): string => india.format(number);

/** `1 item`, `9,900 items`. */
export const count = (number: number, one: string, many = `${one}s`): string => `${formatNumber(number)} ${number === 1 ? one : many}`;

const WORDS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'] as const;

/** `Seven` at the start of a sentence; `12` from ten on. */
export const numberWord = (number: number): string => WORDS[number] ?? String(number);
