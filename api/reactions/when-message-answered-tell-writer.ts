import { isLost } from '#domain/event-store.ts';
import type { MessageEvent } from '#domain/message/events.ts';
import { streamId } from '#projections/engine/define-projector.ts';

import { findMessage, type ContactParts } from '../contact/contact-messages.ts';
import { answerMail } from '../mail/templates/contact-mails.ts';
import { ANSWER_MAIL } from '../mail/unsent-order-mails.ts';
import { reactionTo, type Reaction } from './reaction.ts';

/** Mails each answer to whoever wrote the message. After an erasure there is nobody to write to. */
export const whenMessageAnsweredTellWriter = (parts: ContactParts): Reaction =>
  reactionTo<MessageEvent>({
    name: 'message-answers',
    categories: ['message'],
    // There were no answers before the first release of this reaction.
    from: 'beginning',
    on: {
      MessageAnswered: async ({ stream, revision, data: { text } }) => {
        const id = streamId(stream);
        const found = await findMessage(parts, id);
        if (!found || isLost(found.email) || isLost(text)) return [];
        return [{ cause: `${ANSWER_MAIL}:${id}:${revision}`, mail: answerMail(found, text) }];
      },
    },
  });
