import { accept, afterUnknown, reject, type Decider } from '../shared/decider.ts';
import { dateInIndia, type CalendarDate, type Instant } from '../shared/time.ts';
import type { TaxEvent } from './events.ts';
import type { Hsn, TaxRate } from './rates.ts';

export type TaxRule = { readonly hsn: Hsn; readonly rate: TaxRate; readonly from: CalendarDate };

/** The rules are in the order in which they were set. */
export type Tax = { readonly rules: readonly TaxRule[] };

export type SetTaxRate = TaxRule & { readonly type: 'SetTaxRate'; readonly now: Instant };
/** This command is sent when a new shop opens; its rules may begin in the past. Changes nothing once there are rules. */
export type OpenTaxRules = { readonly type: 'OpenTaxRules'; readonly rules: readonly TaxRule[]; readonly now: Instant };

export type TaxRejection = { readonly code: 'tax_rate_in_past'; readonly today: CalendarDate };

const toEvent = ({ hsn, rate, from }: TaxRule, setAt: Instant): TaxEvent => ({ type: 'TaxRateSet', data: { hsn, rate, from, setAt } });

/** Returns the rate on a day in India. Of two rules with the same first day the later one applies. Undefined if no rule has begun. */
const rateOn = ({ rules }: Tax, hsn: Hsn, day: CalendarDate): TaxRate | undefined => {
  let found: TaxRule | undefined;
  for (const rule of rules) if (rule.hsn === hsn && rule.from <= day && (!found || rule.from >= found.from)) found = rule;
  return found?.rate;
};

export type Rates = { readonly get: (hsn: Hsn) => TaxRate | undefined };

export const ratesOn = (tax: Tax, day: CalendarDate): Rates => ({ get: (hsn) => rateOn(tax, hsn, day) });

/** Decides about the tax rates of goods and their first days. There is one stream, `tax`. */
export const tax: Decider<Tax, SetTaxRate | OpenTaxRules, TaxEvent, TaxRejection> = {
  initial: { rules: [] },
  decide: (state, command) => {
    if (command.type === 'OpenTaxRules')
      return state.rules.length > 0 ? accept() : accept(...command.rules.map((rule) => toEvent(rule, command.now)));
    const today = dateInIndia(command.now);
    if (command.from < today) return reject({ code: 'tax_rate_in_past', today });
    const last = state.rules.findLast(({ hsn, from }) => hsn === command.hsn && from === command.from);
    return last?.rate === command.rate ? accept() : accept(toEvent(command, command.now));
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'TaxRateSet': {
        const { hsn, rate, from } = event.data;
        return { rules: [...state.rules, { hsn, rate, from }] };
      }
      default:
        return afterUnknown(event.type, state);
    }
  },
};
