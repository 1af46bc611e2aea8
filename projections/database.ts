import { IdentifierNode, Kysely, type KyselyPlugin, OperationNodeTransformer, type SchemableIdentifierNode } from 'kysely';
import pg from 'pg';

import type { StreamName } from '#domain/event-store.ts';
import type { Instant } from '#domain/shared/time.ts';

import type { catalogue } from './catalogue/projector.ts';
import type { messages } from './messages/message-answers.ts';
import type { myOrders } from './orders/my-orders.ts';
import type { ordersDesk } from './orders/orders-desk.ts';
import type { payments } from './orders/payment-statuses.ts';
import type { taxDocuments } from './invoices/projector.ts';
import { readModels } from './read-models.ts';
import type { CheckpointRow } from './storage/checkpoints.ts';
import { createDialect, KEEP_ALIVE } from './storage/connections.ts';
import { postgresStorage } from './storage/postgres-storage.ts';
import type { Projector, RowOf } from './engine/define-projector.ts';
import { nameBareTable, type TableSetName } from './engine/table-set.ts';
import type { stats } from './stats/projector.ts';
import type { ReadModelStorage } from './engine/read-model-storage.ts';

type TablesOf<Of extends Projector> =
  Of extends Projector<infer Tables> ? { readonly [Name in keyof Tables & string]: RowOf<Tables[Name]> } : never;

type TableSetKey = { model: string; version: number; slot: TableSetName };
type ParkedTable = TableSetKey & { position: bigint; stream: StreamName };
type CheckpointTable = TableSetKey &
  Omit<CheckpointRow, 'built'> & { held_until: Instant | null; unknown_events: number; built_at: Instant | null };

/** The tables of schema `read`; those of read models have the names that their projectors give them. */
export type ReadModels = { readonly checkpoints: CheckpointTable; readonly parked: ParkedTable } & TablesOf<typeof catalogue> &
  TablesOf<typeof myOrders> &
  TablesOf<typeof ordersDesk> &
  TablesOf<typeof payments> &
  TablesOf<typeof taxDocuments> &
  TablesOf<typeof stats> &
  TablesOf<typeof messages>;

const bareNames = new Map(
  readModels.flatMap((model) => Object.keys(model.tables).map((table) => [table, nameBareTable(model, table)] as const)),
);

/** Queries name a table as its projector does; the database adds the version. */
class VersionedTables extends OperationNodeTransformer {
  protected override transformSchemableIdentifier(node: SchemableIdentifierNode): SchemableIdentifierNode {
    const name = node.schema && bareNames.get(node.identifier.name);
    return name === undefined ? node : { ...node, identifier: IdentifierNode.create(name) };
  }
}

const versionedTables = new VersionedTables();
const plugins: KyselyPlugin[] = [
  { transformQuery: ({ node }) => versionedTables.transformNode(node), transformResult: ({ result }) => Promise.resolve(result) },
];

/** The database of the read models: queries use `db` and `pool`, and workers use `storage`. */
export type ReadDatabase = {
  readonly pool: pg.Pool;
  readonly db: Kysely<ReadModels>;
  readonly storage: ReadModelStorage;
  close(): Promise<void>;
};

/** Converts `2026-11-14 08:33:00+00`, the format of a connection in UTC, to `2026-11-14T08:33:00.000Z`. */
const toInstant = (text: string): string => new Date(text.replace(' ', 'T').replace('+00', 'Z')).toISOString();

const asText = (text: string): string => text;

/** Parses values to the types of `ColumnKind`, so that a row that is read equals the row that was written. */
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, BigInt],
  [pg.types.builtins.TIMESTAMPTZ, toInstant],
  [pg.types.builtins.DATE, asText],
]);

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format),
};

/** One connection for each running projector and the log's tree, one for listening, and eight for queries and checks. */
export const READ_CONNECTIONS = readModels.length + 10;

const DEFAULT_TIMEOUTS = { connectionTimeoutMillis: 5_000, query_timeout: 30_000 };

/**
 * `max` is the number of connections, by default `READ_CONNECTIONS`.
 * `onIdleError` is called when an idle connection broke; the pool replaces it.
 */
export const openReadDatabase = (options: {
  connectionString: string;
  max?: number;
  onIdleError?: (error: Error) => void;
  /** The pool waits this many ms for a free connection and for an answer. Default: 5 and 30 seconds. */
  timeouts?: { readonly connectionTimeoutMillis: number; readonly query_timeout: number };
}): ReadDatabase => {
  const { connectionString, max = READ_CONNECTIONS, onIdleError = () => {}, timeouts = DEFAULT_TIMEOUTS } = options;
  const pool = new pg.Pool({ connectionString, max, types, ...KEEP_ALIVE, ...timeouts, options: '-c timezone=UTC' });
  pool.on('error', onIdleError);
  // A connection that breaks while in use fails its query, which is handled there; without this listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<ReadModels>({ dialect: createDialect(pool), plugins }).withSchema('read');
  // `db.destroy()` is not enough: it ends the pool only if kysely itself has run a query.
  return { pool, db, storage: postgresStorage(pool), close: () => pool.end() };
};
