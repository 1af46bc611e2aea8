import type Router from '@koa/router';
import { z } from 'zod';

import { normalizeShipping, savedAddressErrors, mapShipping } from '#domain/order/checkout.ts';
import { isUuid } from '#domain/shared/ids.ts';

import type { ShopContext, State } from '../../http/context.ts';
import { invalid } from '../../http/http-error.ts';
import { parse, readableText } from '../../http/input.ts';
import { getBody } from '../../http/json-body.ts';
import { createRouter } from '../../http/router.ts';
import { getUser } from '../sessions/session.ts';
import { addressNotFound, type AddressInput, type Addresses } from './addresses.ts';

/** The domain decides which fields are required, and their lengths. */
const Input = z.object({ ...mapShipping(() => readableText.nullable().default('')), isDefault: z.boolean().default(false) });

const parseAddress = (ctx: ShopContext): AddressInput => {
  const { isDefault, ...sent } = parse(Input, getBody(ctx));
  const typed = mapShipping((field) => sent[field] ?? '');
  const errors = savedAddressErrors(typed);
  if (Object.keys(errors).length > 0) throw invalid('Please correct the marked fields', errors);
  return { fields: normalizeShipping(typed), isDefault };
};

const parseAddressId = (ctx: ShopContext): string => {
  const { id = '' } = ctx['params'];
  if (!isUuid(id)) throw addressNotFound();
  return id;
};

/**
 * Serves the addresses that a signed-in user keeps for checkout: the fields of a shipping address, whose e-mail may be blank here, `_id`
 * and `isDefault`. `PUT` replaces one; with `isDefault: true` it becomes the default.
 */
export const addressRoutes = ({ addresses }: { readonly addresses: Addresses }): Router<State> =>
  createRouter()
    .get('/user/addresses', async (ctx) => {
      ctx.body = { addresses: await addresses.list((await getUser(ctx)).id) };
    })
    .post('/user/addresses', async (ctx) => {
      ctx.body = await addresses.add((await getUser(ctx)).id, parseAddress(ctx));
      ctx.status = 201;
    })
    .put('/user/addresses/:id', async (ctx) => {
      ctx.body = await addresses.replace((await getUser(ctx)).id, parseAddressId(ctx), parseAddress(ctx));
    })
    .delete('/user/addresses/:id', async (ctx) => {
      await addresses.remove((await getUser(ctx)).id, parseAddressId(ctx));
      ctx.body = { message: 'The address is removed' };
    });
