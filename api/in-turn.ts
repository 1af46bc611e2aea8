/** The jobs before took too long: this one was not begun, and may be asked for again. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';
}

export type InTurn = <Result>(key: string, job: () => Promise<Result>) => Promise<Result>;

/** How long a job may wait for its turn, in milliseconds: who asked has given up by then, and would be surprised to see it done. */
const PATIENCE = 5_000;

/** `now` is a clock in milliseconds. */
type Options = { readonly patience?: number | undefined; readonly now?: () => number };

/**
 * Does the jobs of one key one after the other, in the order in which they came; those of different keys do not wait for each other.
 * Throws `NoTurn` when the ones before take too long.
 */
export const inTurn = ({ patience = PATIENCE, now = () => performance.now() }: Options = {}): InTurn => {
  const last = new Map<string, Promise<unknown>>();

  return <Result>(key: string, job: () => Promise<Result>): Promise<Result> => {
    const asked = now();
    const start = (): Promise<Result> => {
      const waited = now() - asked;
      if (waited > patience) throw new NoTurn(`${key} is busy: no turn within ${patience} ms`);
      return job();
    };
    // Whatever became of the job before, its turn is over.
    const before = last.get(key);
    const mine = before ? before.then(start, start) : job();
    last.set(key, mine);
    const end = (): void => {
      if (last.get(key) === mine) last.delete(key);
    };
    mine.then(end, end);
    return mine;
  };
};
