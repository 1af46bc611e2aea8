import type { Reaction } from '../../reactions/reaction.ts';
import { traceparentOf } from './traced-store.ts';
import type { Tracing } from './tracing.ts';

/** The same reaction, within the trace of its event; so are its commands and its mails. */
export const tracedReaction = (reaction: Reaction, tracing: Tracing): Reaction => ({
  ...reaction,
  react: (event) => {
    const parent = traceparentOf(event);
    if (parent === undefined) return reaction.react(event);
    return tracing.span({ name: `react ${reaction.name}`, kind: 'consumer', parent }, async ({ traceparent }) => {
      const mails = await reaction.react(event);
      // The mails are put into the outbox later, after the span has ended.
      return mails.map(({ cause, mail }) => ({ cause, mail: { ...mail, traceparent } }));
    });
  },
});
