import type { Router } from '@koa/router';
import { z } from 'zod';

import { isHsn, isTaxRate } from '#domain/tax/rates.ts';
import { tax } from '#domain/tax/tax.ts';
import type { TaxEvent } from '#domain/tax/events.ts';

import { askOnce, formatActorName, type StaffNames } from '../accounts/actor-name.ts';
import { commandMetadata } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import type { ShopContext, State } from '../http/context.ts';
import { dayInput, parse } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import { createRouter } from '../http/router.ts';
import { TAX, type OpenedRates } from './todays-rates.ts';

export type TaxRoutesDeps = Pick<Shop, 'store' | 'execute' | 'now'> & StaffNames & { readonly rates: Pick<OpenedRates, 'know'> };

const RuleInput = z.object({
  hsn: z.string('4, 6 or 8 digits').refine(isHsn, '4, 6 or 8 digits'),
  rate: z.number('A number from 0 to 100').refine(isTaxRate, 'From 0 to 100, with two decimals at most'),
  from: dayInput,
});

const setRate = async (ctx: ShopContext, { execute, rates, now }: TaxRoutesDeps): Promise<void> => {
  const { hsn, rate, from } = parse(RuleInput, getBody(ctx));
  const { state } = await execute(tax, TAX, { type: 'SetTaxRate', hsn, rate, from, now: now() }, await commandMetadata(ctx));
  rates.know(state);
  ctx.status = 201;
  ctx.body = { hsn, rate, from };
};

const listRules = async (ctx: ShopContext, { store, ...deps }: TaxRoutesDeps): Promise<void> => {
  const names = askOnce(deps);
  const { events } = await store.read<TaxEvent>(TAX);
  const rules = events.map(async ({ data: { setAt, ...rule }, metadata }) => ({
    ...rule,
    setAt,
    by: await formatActorName(metadata.actor, names),
  }));
  ctx.body = { rules: await Promise.all(rules) };
};

/**
 * Serves admins `GET /admin/tax`: the rules in the order in which they were set, with who set them; and `POST`: a new rule, from today on
 * or later.
 */
export const taxRoutes = (deps: TaxRoutesDeps): Router<State> =>
  createRouter()
    .get('/admin/tax', (ctx) => listRules(ctx, deps))
    .post('/admin/tax', (ctx) => setRate(ctx, deps));
