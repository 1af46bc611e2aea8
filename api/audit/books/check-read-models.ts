import type { EventStore } from '#domain/event-store.ts';
import type { ReadDatabase } from '#projections/database.ts';
import { BuildInProgress, LogRewound, NotBuilt, Superseded } from '#projections/follower/failures.ts';
import type { Projector } from '#projections/engine/define-projector.ts';
import { verify, type RowDifference } from '#projections/storage/verify.ts';

export type ModelVerdict = {
  readonly model: string;
  /** `unverified` means that they could not be compared. */
  readonly verdict: 'matches' | 'differs' | 'unverified';
  readonly position?: string;
  /** Counts the rows that differ; `differences` has the first ones of each table. */
  readonly count: number;
  readonly differences: readonly RowDifference[];
  readonly why?: string;
};

export type ModelProgress = { readonly events: number; readonly position: string; readonly end: string };

type Parts = { readonly store: EventStore; readonly read: ReadDatabase };

/** These errors are temporary, or for the operator: the auditor still gets the rest. */
const isReason = (error: unknown): error is Error =>
  error instanceof NotBuilt || error instanceof BuildInProgress || error instanceof LogRewound || error instanceof Superseded;

/** Yields the newest progress of `work` on request, and returns its result. `return()` only waits for the end of the work. */
async function* withProgress<Update, Result>(work: (report: (update: Update) => void) => Promise<Result>): AsyncGenerator<Update, Result> {
  let newest: Update | undefined;
  let isOver = false;
  let wake = (): void => {};
  const result = work((update) => {
    newest = update;
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
      const update = newest;
      newest = undefined;
      if (update !== undefined) yield update;
    }
    return await result;
  } finally {
    await over;
  }
}

/** Rebuilds the read model beside the live one, and compares them row by row. */
export async function* checkReadModel(
  model: Projector,
  { store, read }: Parts,
  signal: AbortSignal,
): AsyncGenerator<ModelProgress, ModelVerdict> {
  const end = String(await store.head(model.categories));
  try {
    const { position, count, differences } = yield* withProgress<ModelProgress, Awaited<ReturnType<typeof verify>>>((report) =>
      verify(model, store, read, {
        signal,
        onProgress: ({ events, position }) => report({ events, position: String(position), end }),
      }),
    );
    return { model: model.name, verdict: count === 0 ? 'matches' : 'differs', position: String(position), count, differences };
  } catch (error) {
    if (!isReason(error) || signal.aborted) throw error;
    return { model: model.name, verdict: 'unverified', count: 0, differences: [], why: error.message };
  }
}
