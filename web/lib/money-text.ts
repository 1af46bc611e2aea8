import { formatRupees, paise, type Paise } from '#domain/shared/money.ts';

/** Converts rupees, as the API sends them, to paise. */
export const paiseOf = (rupees: number): Paise => paise(Math.round(rupees * 100));

/** `₹61,48,310.40`, from rupees as the API sends them. */
export const moneyText = (rupees: number): string => formatRupees(paiseOf(rupees));
