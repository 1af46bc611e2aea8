import type { Router } from '@koa/router';
import { z } from 'zod';

import { getClientAddress, type ShopContext, type State } from '../http/context.ts';
import { parse, required, typed, typedLine } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import type { Limits } from '../accounts/limits/limits.ts';
import { linkToNext, NewestFirstInput, readPage } from '../http/cursor-page.ts';
import { createRouter } from '../http/router.ts';
import { adminOnly } from '../accounts/sessions/session.ts';
import { contactMessages, storeMessage, type ContactParts } from './contact-messages.ts';
import { EmailInput } from '../platform/email-address.ts';

/** Parses a text: lines end with a line feed; control characters and unpaired surrogates are removed. */
const prose = (max: number) =>
  required(
    typed
      .overwrite((text) => text.replaceAll(/\r\n?|\u2028|\u2029/g, '\n').replaceAll(/(?![\n\t])\p{Cc}|\p{Cs}/gu, ''))
      .trim()
      .max(max, `Please use at most ${max} characters`),
  );

const ContactInput = z.object({
  name: required(typedLine(100)),
  email: EmailInput,
  phone: typedLine(40).default(''),
  message: prose(5_000),
});

export type ContactRoutesDeps = ContactParts & {
  readonly limits: Limits;
  readonly now: () => Date;
  readonly onMessage: () => void;
};

const receive =
  ({ limits, now, onMessage, ...parts }: ContactRoutesDeps) =>
  async (ctx: ShopContext) => {
    const message = parse(ContactInput, getBody(ctx));
    await limits.spend('contact from an address', getClientAddress(ctx), ctx);
    await storeMessage(parts, message, now());
    onMessage();
    ctx.status = 201;
    ctx.body = { message: `Thank you for contacting us. We will reply to ${message.email}.` };
  };

const list = (parts: ContactRoutesDeps) => async (ctx: ShopContext) => {
  const { rows, nextCursor } = await readPage((part) => contactMessages(parts, part), parse(NewestFirstInput, ctx.query));
  linkToNext(ctx, nextCursor);
  ctx.body = { data: rows, nextCursor };
};

/** Serves `POST /contact` to everybody and `GET /contact` to admins: `{data, nextCursor}`, newest first. */
export const contactRoutes = (deps: ContactRoutesDeps): Router<State> =>
  createRouter().post('/contact', receive(deps)).get('/contact', adminOnly, list(deps));
