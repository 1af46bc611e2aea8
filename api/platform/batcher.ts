import DataLoader from 'dataloader';

/** Resolves at the end of this turn of the event loop, after everything that arrived in it was read. */
const endOfTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * Sends items in batches of at most `maxBatchSize`, so that callers share a statement: items that arrive in one turn of the event loop, or
 * while a batch is under way. `send` answers each item, in order; if it fails, all items of the batch fail.
 */
export const batcher = <Item extends object | string | number, Answer>(
  send: (items: readonly Item[]) => Promise<readonly Answer[]>,
  maxBatchSize = 256,
): ((item: Item) => Promise<Answer>) => {
  let sent: Promise<unknown> = Promise.resolve();
  let batches: Promise<unknown> = sent;
  const sendBatch = (items: readonly Item[]): Promise<readonly Answer[]> => {
    const answers = send(items);
    sent = answers.catch(() => undefined);
    return answers;
  };
  // One batch is under way at a time; meanwhile the next one fills.
  const schedule = (dispatch: () => void): void => {
    batches = batches.then(endOfTurn).then(() => {
      dispatch();
      return sent;
    });
  };
  const loader = new DataLoader(sendBatch, { cache: false, maxBatchSize, batchScheduleFn: schedule });
  return (item) => loader.load(item);
};
