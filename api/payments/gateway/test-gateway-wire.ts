import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

import { paise } from '#domain/shared/money.ts';
import { instant } from '#domain/shared/time.ts';

import type { ShopContext, ShopMiddleware } from '../../http/context.ts';
import { readBody } from '../../http/json-body.ts';
import { GatewayRefused, parseReference } from './gateway.ts';
import { ORDER_NOTE, REFUND_NOTE } from './razorpay-entities.ts';
import { linkEntity, paymentEntity, refundEntity } from './test-gateway-entities.ts';
import type { TestLink } from './test-gateway-rows.ts';
import type { TestGatewayCore } from './test-gateway.ts';

type Options = {
  /** The path under which `/v1` is mounted. */
  readonly root: string;
  readonly keyId: string;
  readonly keySecret: string;
};

const MOST_BYTES = 64 * 1024;
const MOST_LISTED = 100;

const amount = z
  .number('amount must be an integer')
  .int()
  .min(100, 'The amount must be at least INR 1.00')
  .max(50_000_000_00)
  .transform(paise);
const notes = z.record(z.string(), z.coerce.string()).default({});
const NewLink = z.object({
  amount,
  currency: z.literal('INR').default('INR'),
  reference_id: z.string().min(1).max(40, 'reference_id: the length must be no more than 40.'),
  callback_url: z.url(),
  callback_method: z.literal('get'),
  description: z.string().max(2_048).default(''),
  notes,
  expire_by: z.int().optional(),
});
const NewRefund = z.object({
  amount,
  notes,
  receipt: z.string().max(40).nullish(),
  speed: z.enum(['normal', 'optimum']).default('normal'),
});

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const parse = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new GatewayRefused(parsed.error.issues[0]?.message ?? 'The request is wrong');
};

const readJson = async (ctx: ShopContext): Promise<unknown> => {
  const body = await readBody(ctx, MOST_BYTES);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new GatewayRefused('The request is not JSON');
  }
};

/** Answers the calls of Razorpay's API that the shop makes, with the embedded test gateway. */
export const testGatewayWire = (core: TestGatewayCore, { root, keyId, keySecret }: Options): ShopMiddleware => {
  const right = digest(`Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`);
  const isKnown = (ctx: ShopContext): boolean => timingSafeEqual(digest(ctx.get('authorization')), right);
  const shown = (link: TestLink) => linkEntity(link, core.urlOf(link.id));

  const found = <T>(one: T | undefined): T => {
    if (one === undefined) throw new GatewayRefused('The id provided does not exist');
    return one;
  };

  const createLink = async (ctx: ShopContext) => {
    const given = parse(NewLink, await readJson(ctx));
    const { amount, reference_id: referenceId, callback_url: returnTo, expire_by: expireBy } = given;
    if (expireBy !== undefined && expireBy * 1_000 < Date.now() + 15 * 60_000)
      throw new GatewayRefused('expire_by: timestamp must be atleast 15 minutes in future');
    const opened = await core.open({
      amount,
      referenceId,
      returnTo,
      reference: given.notes[ORDER_NOTE] ?? parseReference(referenceId),
      number: given.notes['order_number'] ?? '',
      expiresAt: expireBy === undefined ? undefined : instant(new Date(expireBy * 1_000).toISOString()),
    });
    if (opened) return shown(opened);
    const again = 'Please create a payment link with a different reference_id';
    throw new GatewayRefused(`payment link with given reference_id: ${referenceId} already exists. ${again}`);
  };

  const listLinks = async (ctx: ShopContext) => {
    const { reference_id: referenceId, count } = ctx.query;
    const one = typeof referenceId === 'string' ? await core.links.byReferenceId(referenceId) : undefined;
    const all = typeof referenceId === 'string' ? (one ? [one] : []) : await core.links.newest(Math.min(Number(count) || 10, MOST_LISTED));
    // Razorpay's lists have no payments.
    return { payment_links: all.map((link) => ({ ...shown(link), payments: [] })) };
  };

  const getPayment = async (id: string) => {
    const link = found(await core.links.ofPayment(id));
    return { link, payment: found(link.payments.find((payment) => payment.id === id)) };
  };

  const createRefund = async (ctx: ShopContext, payment: string) => {
    const { amount, notes, receipt = null } = parse(NewRefund, await readJson(ctx));
    const key = ctx.get('x-refund-idempotency');
    const asked = { payment, amount, receipt, reference: notes[REFUND_NOTE] ?? '' };
    return refundEntity(
      await core.refund(asked, (earlier) => earlier.find(({ status, receipt }) => key !== '' && status !== 'refused' && receipt === key)),
    );
  };

  const answerTo = async (ctx: ShopContext, path: string): Promise<unknown> => {
    const [, kind, id, what] = /^\/(payment_links|payments)(?:\/([\w-]+))?(?:\/(\w+))?\/?$/.exec(path) ?? [];
    switch (`${ctx.method} ${kind}${id === undefined ? '' : '/:id'}${what === undefined ? '' : `/${what}`}`) {
      case 'POST payment_links':
        return createLink(ctx);
      case 'GET payment_links':
        return listLinks(ctx);
      case 'GET payment_links/:id':
        return shown(found(await core.links.byId(id ?? '')));
      case 'POST payment_links/:id/cancel':
        return shown(found(await core.cancel(id ?? '')));
      case 'GET payments/:id': {
        const { link, payment } = await getPayment(id ?? '');
        return paymentEntity(link, payment);
      }
      case 'GET payments/:id/refunds': {
        const items = (await getPayment(id ?? '')).payment.refunds.map(refundEntity);
        return { entity: 'collection', count: items.length, items };
      }
      case 'POST payments/:id/refund':
        return createRefund(ctx, id ?? '');
      default:
        throw new GatewayRefused('The requested URL was not found on the server.', 404);
    }
  };

  const refuse = (ctx: ShopContext, status: number, description: string): void => {
    ctx.status = status;
    ctx.body = { error: { code: 'BAD_REQUEST_ERROR', description, source: 'business', step: null, reason: null, metadata: {} } };
  };

  const answer = async (ctx: ShopContext): Promise<void> => {
    if (!core.isReachable()) return void ctx.req.socket.destroy();
    if (!isKnown(ctx)) return refuse(ctx, 401, 'Authentication failed');
    try {
      ctx.body = await answerTo(ctx, ctx.path.slice(root.length));
    } catch (error) {
      if (!(error instanceof GatewayRefused)) throw error;
      refuse(ctx, error.status, error.message);
    }
  };

  return (ctx, next) => (ctx.path.startsWith(`${root}/`) ? answer(ctx) : next());
};
