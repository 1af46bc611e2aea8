import { formatRupees, toPaise } from '#domain/shared/money.ts';

/** Returns `₹61,48,310.40` from rupees, the unit of the API. */
export const moneyText = (rupees: number): string => formatRupees(toPaise(rupees));
