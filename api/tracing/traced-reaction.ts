import type { Reaction } from '../reactions/reaction.ts';
import { traceparentOf } from './traced-store.ts';
import type { Tracing } from './tracing.ts';

/** The same reaction, in the trace of the event that it is about; so are the commands that it gives and the mails that it causes. */
export const tracedReaction = (reaction: Reaction, tracing: Tracing): Reaction => ({
  ...reaction,
  react: (event) => {
    const parent = traceparentOf(event);
    if (parent === undefined) return reaction.react(event);
    return tracing.span({ name: `react ${reaction.name}`, kind: 'consumer', parent }, async ({ traceparent }) => {
      const mails = await reaction.react(event);
      // They are put into the outbox later, when the span is over.
      return mails.map(({ cause, mail }) => ({ cause, mail: { ...mail, traceparent } }));
    });
  },
});
