/** More appends than one group of the store. */
const AT_ONCE = 50;

/** Results in the order of the items, of which 50 are worked on at a time. After the first error no further one begins. */
export const eachOf = async <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const remaining = items.entries();
  let isBroken = false;
  const worker = async (): Promise<void> => {
    try {
      for (const [index, item] of remaining) {
        if (isBroken) return;
        results[index] = await work(item);
      }
    } catch (error) {
      isBroken = true;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
};
