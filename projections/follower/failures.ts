import type { LogPosition } from '#domain/event-store.ts';

/** The log is not the one from which the read model was built, because an older backup was restored. A rebuild repairs it. */
export class LogRewound extends Error {
  override readonly name = 'LogRewound';
  constructor(
    readonly model: string,
    readonly version: number,
    readonly position: LogPosition,
  ) {
    super(
      `The log no longer holds the event at ${position} that ${model} v${version} has applied. Rebuild it: npm run projections -- rebuild ${model}`,
    );
  }
}

/** Another process has changed the checkpoint, or has taken over. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class BuildInProgress extends Error {
  override readonly name = 'BuildInProgress';
  constructor(model: string) {
    super(`${model} is being built or verified by another process right now`);
  }
}

/** No worker has built this version of the read model, so there is nothing to verify. */
export class NotBuilt extends Error {
  override readonly name = 'NotBuilt';
  constructor(model: string) {
    super(`${model} is not built yet. A worker builds it when it starts, or: npm run projections -- rebuild ${model}`);
  }
}

/** The storage refused a row's values and would do so again, or the row could not compute them. Other errors are retried. */
export class RefusedValues extends Error {
  override readonly name = 'RefusedValues';
  constructor(cause: unknown) {
    super(errorMessage(cause), { cause });
  }
}
