import { sql } from 'kysely';

import { isLost } from '#domain/event-store.ts';
import type { MessageEvent, WriterId } from '#domain/message/events.ts';
import { message, messageStream } from '#domain/message/message.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import type { ReadDatabase } from '#projections/database.ts';
import { nameTable } from '#projections/engine/table-set.ts';
import { findAnswers } from '#projections/messages/answer-queries.ts';
import { messages, readAnswer, type Answer } from '#projections/messages/message-answers.ts';

import { askOnce, formatActorName, type StaffNames } from '../accounts/actor-name.ts';
import type { RequestMetadata } from '../command-handler/execute.ts';
import { SubjectErased } from '../event-store/encryption/subject-keys.ts';
import { notFound } from '../http/http-error.ts';
import { everyPage, type OlderThan } from '../http/cursor-page.ts';
import type { Shop } from '../shop.ts';
import { contactMessages, findMessage, type ContactParts, type ContactView, type WhichMessages } from './contact-messages.ts';

export const messageStates = ['new', 'answered'] as const;
export type MessageState = (typeof messageStates)[number];

export type AnsweredView = ContactView & {
  readonly state: MessageState;
  /** The oldest is first; `by` is the name of a member of staff. */
  readonly answers: readonly { readonly text: string; readonly at: Instant; readonly by: string }[];
};

export type AnswerParts = ContactParts & StaffNames & { readonly read: Pick<ReadDatabase, 'db'> };

/** The tables of both schemas are in one database, so that a page can have messages of one state only. */
const hasAnswer = sql<boolean>`exists (
  select from ${sql.raw(nameTable(messages, 'message_answers'))} answered where answered.message_id = contact_messages.id::text)`;

const isOf = (state: MessageState) => (state === 'answered' ? hasAnswer : sql<boolean>`not ${hasAnswer}`);

const viewAnswered = async (view: ContactView, answers: readonly Answer[], names: StaffNames): Promise<AnsweredView> => ({
  ...view,
  state: answers.length > 0 ? 'answered' : 'new',
  answers: await Promise.all(answers.map(async ({ text, at, by }) => ({ text, at, by: await formatActorName(by, names) }))),
});

/** Finds messages by state, and by a part of name, address or message: these are encrypted, so all rows are read until there are enough. */
export const findMessages = async (
  parts: ContactParts,
  { limit, before }: OlderThan,
  { state, text }: { readonly state?: MessageState | undefined; readonly text?: string | undefined },
): Promise<readonly ContactView[]> => {
  const which: WhichMessages = state === undefined ? {} : { condition: isOf(state) };
  if (text === undefined) return contactMessages(parts, { limit, before }, which);
  const wanted = text.toLowerCase();
  const found: ContactView[] = [];
  for await (const page of everyPage((part) => contactMessages(parts, { ...part, before: part.before ?? before }, which))) {
    found.push(...page.filter((each) => `${each.name}\n${each.email}\n${each.message}`.toLowerCase().includes(wanted)));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
};

export const withAnswers = async (parts: AnswerParts, rows: readonly ContactView[]): Promise<readonly AnsweredView[]> => {
  const ids = rows.map(({ _id }) => _id);
  const answers = await findAnswers(parts.read, ids);
  const names = askOnce(parts);
  return Promise.all(rows.map((row) => viewAnswered(row, answers.get(row._id) ?? [], names)));
};

/** Counts the messages that have no answer. */
export const countWaiting = async ({ db }: Pick<ContactParts, 'db'>): Promise<number> => {
  const { count } = await db
    .selectFrom('contact_messages')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where(isOf('new'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

type Answering = AnswerParts & Pick<Shop, 'execute' | 'store'>;
export type GivenAnswer = { readonly text: string; readonly again: boolean; readonly now: Date };

/**
 * Records an answer, which a reaction then mails. Of two members of staff who answer at once, one is refused. Returns the message as the log
 * has it. Throws a 404 when there is no such message any more.
 */
export const answerMessage = async (parts: Answering, id: string, { text, again, now }: GivenAnswer, metadata: RequestMetadata) => {
  const found = await findMessage(parts, id);
  if (!found || isLost(found.email)) throw notFound('Message not found');
  const { subject, ...view } = found;
  const command = { type: 'AnswerMessage' as const, writer: subject as WriterId, text, again, now: instant(now.toISOString()) };
  try {
    const { position } = await parts.execute(message, messageStream(id), command, metadata);
    const { events } = await parts.store.read<MessageEvent>(messageStream(id));
    return { position, view: await viewAnswered(view, events.map(readAnswer), parts) };
  } catch (error) {
    if (error instanceof SubjectErased) throw notFound('Message not found');
    throw error;
  }
};
