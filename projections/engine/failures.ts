import type { LogPosition } from '#domain/event-store.ts';

/** The log is not the one that the read model was built from: an older backup of it was restored. A rebuild puts it right. */
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

/** Somebody else has moved, or taken over, what this process was working on. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** Another process is building or verifying the read model right now. */
export class BuildInProgress extends Error {
  override readonly name = 'BuildInProgress';
  constructor(model: string) {
    super(`${model} is being built or verified by another process right now`);
  }
}

/** There is nothing to compare yet: no worker has run this version of the read model. */
export class NotBuilt extends Error {
  override readonly name = 'NotBuilt';
  constructor(model: string) {
    super(`${model} is not built yet. A worker builds it when it starts, or: npm run projections -- rebuild ${model}`);
  }
}

/**
 * Values of a row were refused, and would be again: by the storage, or because the row could not say them. Everything else (a lost
 * connection, a full disk, a lock not had in time) passes, or is put right by an operator, and is tried again.
 */
export class RefusedValues extends Error {
  override readonly name = 'RefusedValues';
  constructor(cause: unknown) {
    super(errorMessage(cause), { cause });
  }
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
