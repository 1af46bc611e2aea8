import type { StreamName } from '../event-store.ts';
import { accept, afterUnknown, reject, type Decider } from '../shared/decider.ts';
import { personalText } from '../shared/text.ts';
import type { Instant } from '../shared/time.ts';
import type { MessageEvent, WriterId } from './events.ts';

/** The id is that of the message's row. */
export const messageStream = (id: string): StreamName => `message-${id}`;

/** Answers have at most this many characters. */
export const LONGEST_ANSWER = 5_000;

/** The message itself is a row, which goes with its writer; its answers are facts of the shop. */
export type Message = { readonly answers: number };

export type AnswerMessage = {
  readonly type: 'AnswerMessage';
  readonly writer: WriterId;
  readonly text: string;
  /** The value is true if a further answer is meant, not the first one. */
  readonly again: boolean;
  readonly now: Instant;
};

export type MessageRejection = { readonly code: 'message_answered' };

/** Decides about the answers to a message of the contact form. Its stream is `message-<id>`. */
export const message: Decider<Message, AnswerMessage, MessageEvent, MessageRejection> = {
  initial: { answers: 0 },
  decide: ({ answers }, { writer, text, again, now }) =>
    answers > 0 && !again
      ? reject({ code: 'message_answered' })
      : accept({ type: 'MessageAnswered', data: { writer, text: personalText(text), answeredAt: now } }),
  evolve: (state, event) => {
    switch (event.type) {
      case 'MessageAnswered':
        return { answers: state.answers + 1 };
      default:
        return afterUnknown(event.type, state);
    }
  },
};
