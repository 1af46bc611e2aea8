import type pg from 'pg';
import type { Registry } from 'prom-client';

import type { EventStore } from '#domain/event-store.ts';
import type { Instant } from '#domain/shared/time.ts';
import type { ReadDatabase } from '#projections/database.ts';

import type { Cached, Load } from './command-handler/aggregates.ts';
import type { Execute } from './command-handler/execute.ts';
import type { Config } from './config.ts';
import type { SealedRows } from './event-store/encryption/sealed-rows.ts';
import type { SubjectKeys } from './event-store/encryption/subject-keys.ts';
import type { StoredLog } from './event-store/stored-event.ts';
import type { DeadlineClock } from './platform/postgres/database-clock.ts';
import type { ShopDatabase } from './platform/postgres/shop-tables.ts';
import type { Tracing } from './observability/tracing/tracing.ts';

export type Shop = {
  /** Lets another process open the same shop while this one has it open. */
  readonly where: ShopConfig;
  readonly store: EventStore & StoredLog;
  readonly read: ReadDatabase;
  readonly db: ShopDatabase;
  /** The pool of `db` serves what kysely does not offer: listening, and libraries that take a pool. */
  readonly pool: pg.Pool;
  readonly execute: Execute;
  readonly load: Load;
  readonly cached: Cached;
  readonly keys: SubjectKeys;
  /** Encrypts the personal texts of rows with these keys. */
  readonly sealed: SealedRows;
  readonly forget: () => void;
  readonly now: () => Instant;
  readonly deadlineClock: DeadlineClock;
  readonly registry: Registry;
  readonly tracing: Tracing | undefined;
  /** The banner lists these servers inside or beside this process. */
  readonly embedded: readonly string[];
  /** Also stops an embedded Postgres if this is its last process. */
  close(): Promise<void>;
};

export type ShopConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'eventStoreUrl'> &
  Partial<Pick<Config, 'databaseMigrationUrl' | 'keyEncryptionKey' | 'previousKeyEncryptionKey' | 'workers'>> & {
    /** The names of streams on a shared EventStoreDB begin with this prefix; by default it is empty. */
    readonly streamPrefix?: string | undefined;
    /** A command waits this many ms for the mutex of an aggregate, and for an answer of EventStoreDB. */
    readonly answerWithin?: number | undefined;
    readonly tracing?: Tracing | undefined;
    /** By default deadlines are judged by the clock of the database. */
    readonly deadlineClock?: DeadlineClock | undefined;
  };
