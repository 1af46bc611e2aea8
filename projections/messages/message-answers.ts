import type { Actor, Recorded } from '#domain/event-store.ts';
import type { MessageEvent } from '#domain/message/events.ts';
import type { PersonalText } from '#domain/shared/text.ts';
import type { Instant } from '#domain/shared/time.ts';

import { defineProjector, rowsTable, streamId } from '../engine/define-projector.ts';

/** `by` is the member of staff. */
export type Answer = { readonly text: PersonalText; readonly at: Instant; readonly by: Actor };

/** The row has the answers to one message of the contact form; a message without answers has none. */
export type MessageRow = {
  message_id: string;
  /** The text is `Answer[]` as JSON, oldest first. */
  answers: string;
};

const table = rowsTable<MessageRow>({ key: 'message_id', columns: { message_id: 'text', answers: 'json' }, category: 'message' });

export const readAnswer = ({ data, metadata }: Recorded<MessageEvent>): Answer => ({
  text: data.text,
  at: data.answeredAt,
  by: metadata.actor,
});

export const parseAnswers = (row: MessageRow | undefined): readonly Answer[] => (row ? JSON.parse(row.answers) : []); // written below

/** Projects the answers to messages, by the id of the message. */
export const messages = defineProjector<MessageEvent>()({
  name: 'messages',
  version: 1,
  categories: ['message'],
  tables: { message_answers: table },
  on: {
    MessageAnswered: ({ message_answers: rows }, event) => {
      const id = streamId(event.stream);
      rows.set({ message_id: id, answers: JSON.stringify([...parseAnswers(rows.get(id)), readAnswer(event)]) });
    },
  },
});
