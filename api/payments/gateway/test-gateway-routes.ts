import { z } from 'zod';

import { exactPrice, rupees, type Paise } from '#domain/shared/money.ts';

import type { ShopContext, ShopMiddleware } from '../../http/context.ts';
import { HttpError, invalid, notFound } from '../../http/http-error.ts';
import { readBody } from '../../http/json-body.ts';
import { parse } from '../../http/input.ts';
import { GatewayRefused } from './gateway.ts';
import { TEST_GATEWAY_STYLES, testLinkPage, testLinksPage, type WrongAmount } from './test-gateway-page.ts';
import type { TestLink } from './test-gateway-rows.ts';
import { WEBHOOK_TIMES } from './test-gateway-webhooks.ts';
import { TEST_METHODS, type TestGateway } from './test-gateway.ts';

const ROOT = '/dev/payments';
const LISTED = 500;
const MOST_BYTES = 16 * 1024;
const FORM = 'application/x-www-form-urlencoded';

const AMOUNT = 'Rupees above 0, with at most two decimals';
/** The amount is a number in JSON and a text in forms; an empty field means the whole amount. */
const amount = z
  .union([z.number(AMOUNT).transform(String), z.string()], AMOUNT)
  .transform((text, issue): Paise | undefined => {
    if (text === '') return undefined;
    const exact = /^\d{1,10}(?:\.\d{1,2})?$/.test(text) ? exactPrice(text) : undefined;
    if (exact) return exact;
    issue.addIssue({ code: 'custom', message: AMOUNT });
    return z.NEVER;
  })
  .optional();
const Paying = z.object({
  method: z.enum(TEST_METHODS, `One of ${TEST_METHODS.join(', ')}`).default('upi'),
  webhook: z.enum(WEBHOOK_TIMES, `One of ${WEBHOOK_TIMES.join(', ')}`).default('now'),
  amount,
});

const readRequestBody = async (ctx: ShopContext): Promise<unknown> => {
  const text = (await readBody(ctx, MOST_BYTES)).toString('utf8');
  if (text.trim() === '') return {};
  if (ctx.is(FORM)) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('The body is neither JSON nor a form');
  }
};

const isForPeople = (ctx: ShopContext): boolean => ctx.accepts('json', 'html') === 'html';

/** Serves `/dev/payments` to people and programs: the links of the embedded test gateway, and each link's hosted page. */
export const testGatewayRoutes = (gateway: TestGateway): ShopMiddleware => {
  const { links, urlOf } = gateway.core;
  const linkJson = ({ id, reference, amount, status }: TestLink) => ({ id, reference, amount: rupees(amount), status, url: urlOf(id) });

  const found = (link: TestLink | undefined): TestLink => {
    if (!link) throw notFound('There is no such payment link');
    return link;
  };

  const showPage = (ctx: ShopContext, markup: string, actions = "'self'"): void => {
    ctx.set(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${actions}; base-uri 'none'; frame-ancestors 'none'`,
    );
    ctx.type = 'html';
    ctx.body = markup;
  };

  const showLinks = async (ctx: ShopContext): Promise<void> => {
    const newest = await links.newest(LISTED);
    if (ctx.accepts('html', 'json') === 'json') ctx.body = { links: newest.map(linkJson) };
    else showPage(ctx, testLinksPage(ROOT, newest));
  };

  const showLink = async (ctx: ShopContext, id: string, wrong?: WrongAmount): Promise<void> => {
    const link = found(await links.byId(id));
    // The form redirects to the shop, whose origin may differ from that of this page.
    showPage(ctx, testLinkPage(ROOT, link, wrong), `'self' ${new URL(link.returnTo).origin}`);
  };

  /** Shows the page again with the problem if a person typed the amount. */
  const refuse = async (ctx: ShopContext, id: string, body: unknown, error: unknown): Promise<void> => {
    const problem = error instanceof HttpError ? error.answer.errors?.['amount'] : undefined;
    if (!isForPeople(ctx) || problem === undefined) throw error;
    ctx.status = 400;
    await showLink(ctx, id, { typed: z.object({ amount: z.string() }).safeParse(body).data?.amount ?? '', problem });
  };

  const refund = (id: string, how: z.output<typeof Paying>) =>
    gateway.refundAtGateway(id, how).catch((error: unknown) => {
      throw error instanceof GatewayRefused ? invalid(error.message, { amount: error.message }) : error;
    });

  const act = async (ctx: ShopContext, id: string, what: string): Promise<void> => {
    const body = await readRequestBody(ctx);
    let done: TestLink | undefined;
    try {
      const how = parse(Paying, body);
      done = await (what === 'refund' ? refund(id, how) : what === 'pay' ? gateway.pay(id, how) : gateway.fail(id, how));
    } catch (error) {
      return refuse(ctx, id, body, error);
    }
    const link = found(done);
    if (!isForPeople(ctx)) {
      ctx.body = linkJson(link);
      return;
    }
    ctx.redirect(what === 'pay' ? link.returnTo : `${ROOT}/${id}`);
    ctx.status = 303;
  };

  const answer = async (ctx: ShopContext): Promise<void> => {
    const [, id, what] = /^\/([\w-]{1,64})(?:\/(pay|fail|refund))?$/.exec(ctx.path.slice(ROOT.length)) ?? [];
    if (ctx.method === 'POST' && id !== undefined && what !== undefined) return act(ctx, id, what);
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      throw new HttpError({
        status: 405,
        code: 'method_not_allowed',
        message: 'Payments are made by POST to /pay, /fail or /refund of a link',
      });
    if (ctx.path === ROOT) return showLinks(ctx);
    if (ctx.path === `${ROOT}/styles.css`) {
      ctx.type = 'css';
      ctx.body = TEST_GATEWAY_STYLES;
    } else if (id !== undefined && what === undefined) return showLink(ctx, id);
    else throw notFound('There is nothing at this address');
  };

  return (ctx, next) => {
    if (ctx.path !== ROOT && !ctx.path.startsWith(`${ROOT}/`)) return next();
    ctx.set('Cache-Control', 'no-store');
    return answer(ctx);
  };
};
