import type pg from 'pg';
import type { Registry } from 'prom-client';

import type { EventStore } from '#domain/event-store.ts';
import type { Instant } from '#domain/shared/time.ts';
import type { ReadDatabase } from '#projections/database.ts';

import type { Cached, Load } from './command-handler/aggregates.ts';
import type { Execute } from './command-handler/execute.ts';
import type { Config } from './config.ts';
import type { SubjectKeys } from './event-store/encryption/subject-keys.ts';
import type { StoredLog } from './event-store/stored-event.ts';
import type { ShopDatabase } from './platform/postgres/shop-tables.ts';
import type { Tracing } from './observability/tracing/tracing.ts';

/** The parts that every process has. */
export type Shop = {
  /** For another process to open the same shop, while this one has it open. */
  readonly where: ShopConfig;
  readonly store: EventStore & StoredLog;
  readonly read: ReadDatabase;
  /** Schema `shop`: rows that are not in the log. */
  readonly db: ShopDatabase;
  /** Of `db`, for what kysely has no words for: listening, and libraries that take a pool. */
  readonly pool: pg.Pool;
  readonly execute: Execute;
  readonly load: Load;
  readonly cached: Cached;
  /** For the personal data in the log. */
  readonly keys: SubjectKeys;
  /** Drops the cached aggregates. */
  readonly forget: () => void;
  readonly now: () => Instant;
  readonly registry: Registry;
  readonly tracing: Tracing | undefined;
  /** Servers inside or beside this process, for the banner. */
  readonly embedded: readonly string[];
  /** Also stops an embedded Postgres, in its last process. */
  close(): Promise<void>;
};

export type ShopConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'eventStoreUrl'> &
  Partial<Pick<Config, 'databaseMigrationUrl' | 'keyEncryptionKey' | 'previousKeyEncryptionKey'>> & {
    /** For the streams' names on an EventStoreDB that is shared with others. Default: empty. */
    readonly streamPrefix?: string | undefined;
    /** In ms, for a command's turn at its aggregate, and for an answer of an EventStoreDB. */
    readonly answerWithin?: number | undefined;
    readonly tracing?: Tracing | undefined;
  };
