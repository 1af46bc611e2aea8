import type { Router } from '@koa/router';
import { z } from 'zod';

import { LONGEST_ANSWER } from '#domain/message/message.ts';
import { messages } from '#projections/messages/message-answers.ts';
import type { Progress } from '#projections/reading/progress.ts';

import { getClientAddress, type ShopContext, type State } from '../http/context.ts';
import { readModel, requireReadModel, setPosition, waitForReadModel } from '../http/freshness.ts';
import { parse, prose, required, typed, typedLine } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import type { Limits } from '../accounts/limits/limits.ts';
import { linkToNext, NewestFirstInput, readPage } from '../http/cursor-page.ts';
import type { UnsentOrderMails } from '../mail/unsent-order-mails.ts';
import { createRouter } from '../http/router.ts';
import { commandMetadata } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import { answerMessage, countWaiting, findMessages, messageStates, withAnswers, type AnsweredView, type AnswerParts } from './answers.ts';
import { storeMessage } from './contact-messages.ts';
import { EmailInput } from '../platform/email-address.ts';

const ContactInput = z.object({
  name: required(typedLine(100)),
  email: EmailInput,
  phone: typedLine(40).default(''),
  message: required(prose(5_000)),
});

const AnswerInput = z.object({ answer: required(prose(LONGEST_ANSWER)), again: z.boolean().default(false) });

const FilterInput = z.object({
  state: z.enum(messageStates, `One of ${messageStates.join(', ')}`).optional(),
  q: typed.max(100, 'At most 100 characters').optional(),
});

export type ContactRoutesDeps = AnswerParts &
  Pick<Shop, 'execute' | 'store'> & {
    readonly limits: Limits;
    readonly progress: Progress;
    readonly now: () => Date;
    readonly onMessage: () => void;
    readonly mails: Pick<UnsentOrderMails, 'findAnswerProblems'>;
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

/** Adds `mailProblem: {to, reason, at}|null`, the newest mail with an answer that was given up. */
const addMailProblems = async ({ mails }: Pick<ContactRoutesDeps, 'mails'>, views: readonly AnsweredView[]) => {
  const problems = await mails.findAnswerProblems(views.map(({ _id }) => _id));
  return views.map((view) => ({ ...view, mailProblem: problems.get(view._id) ?? null }));
};

const list = (parts: ContactRoutesDeps) => async (ctx: ShopContext) => {
  const { state, q } = parse(FilterInput, ctx.query);
  const read = (part: Parameters<typeof findMessages>[1]) => findMessages(parts, part, { state, text: q?.trim() || undefined });
  const { rows, nextCursor } = await readPage(read, parse(NewestFirstInput, ctx.query));
  linkToNext(ctx, nextCursor);
  ctx.body = { data: await addMailProblems(parts, await withAnswers(parts, rows)), nextCursor, waiting: await countWaiting(parts) };
};

const answer = (deps: ContactRoutesDeps) => async (ctx: ShopContext) => {
  const { answer: text, again } = parse(AnswerInput, getBody(ctx));
  const { id = '' } = ctx['params'];
  const { position, view } = await answerMessage(deps, id, { text, again, now: deps.now() }, await commandMetadata(ctx));
  if (position !== undefined) setPosition(ctx, 'message', position);
  [ctx.body] = await addMailProblems(deps, [view]);
};

/**
 * Serves `POST /contact` to everybody. To admins it serves `GET /contact`, `{data, nextCursor, waiting}`, newest first and also by `state`
 * and `q`, and `PUT /contact/:id`, which answers a message.
 */
export const contactRoutes = (deps: ContactRoutesDeps): Router<State> => {
  const { progress } = deps;
  const upToDate = waitForReadModel(readModel(progress, messages.name), ['message']);
  return createRouter()
    .post('/contact', receive(deps))
    .get('/contact', requireReadModel(progress, messages.name), upToDate, list(deps))
    .put('/contact/:id', answer(deps));
};
