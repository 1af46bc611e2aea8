import pg from 'pg';

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
export class BuildUnderWay extends Error {
  override readonly name = 'BuildUnderWay';
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

/** A row that cannot be told in values, for what an event has brought into it: rows may make their texts only when they are written. */
export class RowWithoutValues extends Error {
  override readonly name = 'RowWithoutValues';
  constructor(table: string, cause: unknown) {
    super(`A row of ${table} cannot be written: ${messageOf(cause)}`, { cause });
  }
}

/** SQLSTATE classes that the values of a row bring about: data exception, constraint violation, program limit exceeded. */
const CAUSED_BY_VALUES = new Set(['22', '23', '54']);

/**
 * Whether it is the values themselves that were refused, and would be again. Everything else (a lost connection, a full disk, a lock
 * not had in time) passes, or is put right by an operator, and is tried again: no event is parked for it.
 */
export const isCausedByValues = (error: unknown): boolean =>
  error instanceof RowWithoutValues || (error instanceof pg.DatabaseError && CAUSED_BY_VALUES.has(error.code?.slice(0, 2) ?? ''));

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
