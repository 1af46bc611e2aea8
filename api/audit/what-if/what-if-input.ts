import { z } from 'zod';

import { CHARGES } from '#domain/order/totals.ts';
import type { OtherRules } from '#domain/order/what-if.ts';
import { exactPrice, type Paise } from '#domain/shared/money.ts';
import { parseDate } from '#domain/shared/time.ts';
import { isHsn, isTaxRate, type Hsn, type TaxRate } from '#domain/tax/rates.ts';

import { textAs } from '../../http/input.ts';

const RATE = /^(\d+)=(\d{1,3}(?:\.\d{1,2})?)$/;

const parseRate = (text: string): readonly [Hsn, TaxRate] | undefined => {
  const [, code = '', percent = ''] = RATE.exec(text) ?? [];
  const rate = Number(percent);
  return isHsn(code) && percent !== '' && isTaxRate(rate) ? [code, rate] : undefined;
};

/** Parses plain digits with two decimals at most. */
const parseAmount = (text: string): Paise | undefined => (/^\d+(?:\.\d+)?$/.test(text) ? exactPrice(text) : undefined);

const parseShipping = (text: string): OtherRules['charges']['shipping'] | undefined => {
  const [fee, threshold, ...more] = text.split(':').map(parseAmount);
  return fee === undefined || threshold === undefined || more.length > 0 ? undefined : { fee, threshold };
};

const parseRates = (given: readonly string[]): OtherRules['rates'] | undefined => {
  const rates = given.map(parseRate);
  return rates.includes(undefined) ? undefined : new Map(rates.filter((rate) => rate !== undefined));
};

const RATES = 'An HSN code of 4, 6 or 8 digits and a rate from 0 to 100 with two decimals at most, such as 3303=12, each code once';

/** Parses the other rules from a command line or a query. A missing rule stays as it is today. */
export const WhatIfInput: z.ZodType<OtherRules> = z
  .object({
    rate: z
      .union([z.string().transform((one) => [one]), z.array(z.string())], RATES)
      .transform((given, { addIssue }) => {
        const rates = parseRates(given);
        if (rates?.size === given.length) return rates;
        addIssue(RATES);
        return z.NEVER;
      })
      .optional(),
    from: textAs(parseDate, 'A day, such as 2026-04-01').optional(),
    wrap: textAs(parseAmount, 'An amount in rupees, such as 49 or 49.50').optional(),
    shipping: textAs(parseShipping, 'A fee and the subtotal from which it is not taken, in rupees, such as 99:2000').optional(),
  })
  .transform(({ rate = new Map(), from = null, wrap = CHARGES.giftWrap, shipping = CHARGES.shipping }): OtherRules => {
    return { rates: rate, from, charges: { giftWrap: wrap, shipping } };
  });
