import type { EventStore } from '#domain/event-store.ts';
import type { ReadDatabase } from '#projections/database.ts';
import { BuildInProgress, LogRewound, NotBuilt, Superseded } from '#projections/engine/failures.ts';
import type { Projector } from '#projections/engine/define-projector.ts';
import { verify, type Difference } from '#projections/storage/verify.ts';

/** What became of one read model that was built anew beside the live one. */
export type ModelVerdict = {
  readonly model: string;
  /** `unverified`: the two could not be compared, and `why` says what stood in the way. */
  readonly verdict: 'matches' | 'differs' | 'unverified';
  /** Both are of this position in the log, a decimal number. */
  readonly position?: string;
  /** How many rows differ; `differences` names the first few of each table. */
  readonly count: number;
  readonly differences: readonly Difference[];
  readonly why?: string;
};

/** How far the building is. */
export type ModelProgress = { readonly events: number; readonly position: string; readonly end: string };

type Parts = { readonly store: EventStore; readonly read: ReadDatabase };

/** Passes, or is for whoever runs the shop: no reason to keep the rest of a check from the auditor. */
const isReason = (error: unknown): error is Error =>
  error instanceof NotBuilt || error instanceof BuildInProgress || error instanceof LogRewound || error instanceof Superseded;

/**
 * What `work` tells, the newest of it whenever it is asked for, and then its result. Who stops listening waits until the work has ended:
 * it has to be told to by other means.
 */
async function* told<News, Result>(work: (tell: (news: News) => void) => Promise<Result>): AsyncGenerator<News, Result> {
  let newest: News | undefined;
  let isOver = false;
  let wake = (): void => {};
  const result = work((news) => {
    newest = news;
    wake();
  });
  const end = (): void => {
    isOver = true;
    wake();
  };
  const over = result.then(end, end);
  try {
    while (!isOver) {
      if (newest === undefined) await new Promise<void>((resolve) => (wake = resolve));
      const news = newest;
      newest = undefined;
      if (news !== undefined) yield news;
    }
    return await result;
  } finally {
    await over;
  }
}

/** Builds the read model from the first event beside the live one, and compares the two row by row. Ends early when `until` is aborted. */
export async function* checkReadModel(
  model: Projector,
  { store, read }: Parts,
  until: AbortSignal,
): AsyncGenerator<ModelProgress, ModelVerdict> {
  const end = String(await store.head(model.categories));
  try {
    const { position, count, differences } = yield* told<ModelProgress, Awaited<ReturnType<typeof verify>>>((tell) =>
      verify(model, store, read, {
        until,
        onProgress: ({ events, position }) => tell({ events, position: String(position), end }),
      }),
    );
    return { model: model.name, verdict: count === 0 ? 'matches' : 'differs', position: String(position), count, differences };
  } catch (error) {
    if (!isReason(error) || until.aborted) throw error;
    return { model: model.name, verdict: 'unverified', count: 0, differences: [], why: error.message };
  }
}
