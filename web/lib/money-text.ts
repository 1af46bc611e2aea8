import { formatRupees, paiseOf } from '#domain/shared/money.ts';

/** `₹61,48,310.40`, from rupees as the API sends them. */
export const moneyText = (rupees: number): string => formatRupees(paiseOf(rupees));
