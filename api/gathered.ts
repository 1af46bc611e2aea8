type Entry<Item> = { readonly item: Item; readonly resolve: () => void; readonly reject: (error: unknown) => void };

/**
 * Hands items on in batches, so that many share the cost of one: whatever arrives while a batch is under way goes with the next, and in a
 * quiet hour nobody waits. What becomes of a batch becomes of each of its items.
 */
export const gathered = <Item>(send: (items: readonly Item[]) => Promise<void>, most = 256): ((item: Item) => Promise<void>) => {
  const waiting: Entry<Item>[] = [];
  let isSending = false;

  const sendAll = async (): Promise<void> => {
    // All that the end of the last batch has set off is asked for by now.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      await send(batch.map(({ item }) => item)).then(
        () => batch.forEach(({ resolve }) => resolve()),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      );
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
