import { formatRupees, paise, type Paise } from '#domain/shared/money.ts';

/** Rupees as the answers of the API carry them, in paise again. */
export const paiseOf = (rupees: number): Paise => paise(Math.round(rupees * 100));

/** `₹61,48,310.40`, from rupees as answers carry them. */
export const moneyText = (rupees: number): string => formatRupees(paiseOf(rupees));
