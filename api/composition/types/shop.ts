import type pg from 'pg';
import type { Registry } from 'prom-client';

import type { EventStore } from '#domain/event-store.ts';
import type { Instant } from '#domain/shared/time.ts';
import type { ReadDatabase } from '#projections/database.ts';

import type { Cached, Load } from '../../command-handler/aggregates.ts';
import type { Execute } from '../../command-handler/execute.ts';
import type { Config } from '../../config.ts';
import type { SubjectKeys } from '../../event-store/encryption/subject-keys.ts';
import type { StoredLog } from '../../event-store/stored-event.ts';
import type { Tracing } from '../../observability/tracing/tracing.ts';

/** The parts that every process of the shop has. */
export type Shop = {
  /** How another process opens the same shop, as long as this one has it open. */
  readonly where: ShopConfig;
  readonly store: EventStore & StoredLog;
  readonly read: ReadDatabase;
  /** Schema `shop`: the rows that are the truth. */
  readonly pool: pg.Pool;
  readonly execute: Execute;
  readonly load: Load;
  readonly cached: Cached;
  /** The keys by which personal data in the log are encrypted. */
  readonly keys: SubjectKeys;
  /** Drops what this process remembers of aggregates. */
  readonly forget: () => void;
  readonly now: () => Instant;
  /** The metrics of this process. */
  readonly registry: Registry;
  /** Traces, where they are kept. */
  readonly tracing: Tracing | undefined;
  /** The servers that run inside or beside this process, for the banner. */
  readonly embedded: readonly string[];
  /** Ends everything that `openShop` has begun, the last process on an embedded Postgres that too. */
  close(): Promise<void>;
};

export type ShopConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'eventStoreUrl'> &
  Partial<Pick<Config, 'databaseMigrationUrl' | 'keyEncryptionKey' | 'previousKeyEncryptionKey'>> & {
    /** Before the names of its streams on an EventStoreDB that it shares with others. Default: nothing. */
    readonly streamPrefix?: string | undefined;
    /** How long a command waits for its turn at its aggregate, and for an answer of an EventStoreDB, in ms. Default: as long as a shopper does. */
    readonly patience?: number | undefined;
    readonly tracing?: Tracing | undefined;
  };
