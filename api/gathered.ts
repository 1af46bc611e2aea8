type Entry<Item, Answer> = {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Hands items on in batches, so that many share the cost of one: whatever arrives while a batch is under way goes with the next, and in a
 * quiet hour nobody waits. `send` gives the answers to the items in their order; when it fails, it fails for each of them.
 */
export const gathered = <Item, Answer>(
  send: (items: readonly Item[]) => Promise<readonly Answer[]>,
  most = 256,
): ((item: Item) => Promise<Answer>) => {
  const waiting: Entry<Item, Answer>[] = [];
  let isSending = false;

  const sendBatch = async (batch: readonly Entry<Item, Answer>[]): Promise<void> => {
    try {
      const answers = await send(batch.map(({ item }) => item));
      if (answers.length !== batch.length) throw new Error(`${batch.length} items had ${answers.length} answers`);
      for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      // All that has arrived by now is asked for first, and all that the end of the last batch has set off.
      await new Promise(setImmediate);
      await sendBatch(waiting.splice(0, most));
    }
    isSending = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isSending) return;
      isSending = true;
      void sendAll();
    });
};
