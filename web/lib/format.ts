import { formatRupees, toPaise } from '#domain/shared/money.ts';

const india = new Intl.NumberFormat('en-IN');

/** Returns `2,30,000`. */
export const formatNumber = (number: number): string => india.format(number);

/** Returns `1 item` or `9,900 items`. */
export const count = (number: number, one: string, many = `${one}s`): string => `${formatNumber(number)} ${number === 1 ? one : many}`;

/** Returns `4.67`, or `4.5` from stars alone. */
export const averageText = ({ average, ratingStar }: { readonly average?: number; readonly ratingStar: number }): string =>
  average === undefined ? String(ratingStar) : average.toFixed(2);

const WORDS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'] as const;

/** Returns `Seven` for the start of a sentence, and `12` from ten on. */
export const numberWord = (number: number): string => WORDS[number] ?? String(number);

/** Returns `₹61,48,310.40` from rupees, the unit of the API. */
export const moneyText = (rupees: number): string => formatRupees(toPaise(rupees));

/** Returns `₹2,800`, without paise. */
export const rupeesText = (value: number): string => `₹${formatNumber(value)}`;
