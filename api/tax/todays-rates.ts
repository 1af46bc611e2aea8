import { START, type CommandMetadata } from '#domain/event-store.ts';
import { calendarDate, dateInIndia } from '#domain/shared/time.ts';
import { ESSENTIAL_OILS, PERFUMES, STANDARD_RATE } from '#domain/tax/rates.ts';
import { ratesOn, tax, type Rates, type Tax, type TaxRule } from '#domain/tax/tax.ts';
import type { TaxEvent } from '#domain/tax/events.ts';
import { errorMessage } from '#projections/follower/failures.ts';
import type { Log } from '#projections/follower/lease.ts';
import { inBackground, repeatEvery } from '#projections/follower/repeat-every.ts';

import type { Shop } from '../shop.ts';

export const TAX = 'tax';

/** The law has had these rules since the goods and services tax began. */
const OPENING_RULES: readonly TaxRule[] = [PERFUMES, ESSENTIAL_OILS].map((hsn) => ({
  hsn,
  rate: STANDARD_RATE,
  from: calendarDate('2017-07-01'),
}));

const bySeed: CommandMetadata = {
  commandId: 'seed-tax',
  correlationId: 'seed',
  causationId: 'seed',
  actor: { kind: 'system', id: 'seed' },
};

/** Shows today's rates. Another process's new rule is known a moment later. */
export type TodaysRates = { readonly today: () => Rates };

/** Returns today's tax rates from the log, for decisions. Throws the errors of the event store. */
export const loadRates = async ({ load, now }: Pick<Shop, 'load' | 'now'>): Promise<Rates> =>
  ratesOn((await load(tax, TAX)).state, dateInIndia(now()));

export type OpenedRates = TodaysRates & {
  /** Takes over what this process has just decided. */
  readonly know: (newest: Tax) => void;
  readonly close: () => Promise<void>;
};

/** Gives a new shop its first rules, and follows the log. Throws what the event store throws. */
export const openRates = async ({ store, execute, now }: Pick<Shop, 'store' | 'execute' | 'now'>, log: Log): Promise<OpenedRates> => {
  let { state } = await execute(tax, TAX, { type: 'OpenTaxRules', rules: OPENING_RULES, now: now() }, bySeed);
  const know = (newest: Tax): void => {
    if (newest.rules.length > state.rules.length) state = newest;
  };
  const follow = async (signal: AbortSignal): Promise<void> => {
    let folded: Tax = tax.initial;
    for await (const page of store.follow(START, ['tax'], signal)) {
      folded = (page as readonly TaxEvent[]).reduce(tax.evolve, folded);
      know(folded);
    }
    if (!signal.aborted) throw new Error('The log is no longer followed');
  };
  const onError = (error: unknown) => log.warn({ error: errorMessage(error) }, 'The tax rates are not followed, and will be again');
  const following = inBackground((signal) => repeatEvery(0, () => follow(signal), { signal, onError }));
  return {
    today: () => ratesOn(state, dateInIndia(now())),
    know,
    close: following.close,
  };
};
