export type LogRecord = {
  readonly streamName: string;
  readonly revision: number;
  readonly position: bigint;
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
};
export type Proposed = Pick<LogRecord, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>;

export type AppendOutcome =
  | { readonly ok: true; readonly revision: number; readonly position: bigint }
  /** -1 means that there is no stream. */
  | { readonly ok: false; readonly current: number };

type ReadOfAll = {
  readonly at: bigint | undefined;
  readonly isBackwards: boolean;
  readonly count: number;
  readonly isWanted: (record: LogRecord) => boolean;
};

const FIRST_POSITION = 1_024n;

const JSON_TYPE = 'application/json';
const NOTHING = new Uint8Array();

const ofServer = (type: string): Proposed => ({
  id: crypto.randomUUID(),
  type,
  contentType: JSON_TYPE,
  data: Buffer.from('{}'),
  metadata: NOTHING,
});

/**
 * Appends like EventStoreDB's source: the revision check, and what counts as a repetition. The server writes records of its own too:
 * statistics and tombstones.
 */
export const eventStoreDbLog = () => {
  const records: LogRecord[] = [];
  const positions = new Set<bigint>();
  const streams = new Map<string, LogRecord[]>();
  const truncatedBefore = new Map<string, number>();
  let end = FIRST_POSITION;

  const listAllRecords = (name: string): readonly LogRecord[] => streams.get(name) ?? [];
  const listStream = (name: string, from = 0): readonly LogRecord[] =>
    listAllRecords(name).slice(Math.max(from, truncatedBefore.get(name) ?? 0));

  const indexAt = (position: bigint): number => {
    let [low, high] = [0, records.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((records[middle]?.position ?? 0n) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const from = (position: bigint): readonly LogRecord[] => records.slice(indexAt(position));

  /** Reads forwards from a position (default: the start), or backwards before it (default: the end). */
  const read = ({ at, isBackwards, count, isWanted }: ReadOfAll): readonly LogRecord[] => {
    const found: LogRecord[] = [];
    const step = isBackwards ? -1 : 1;
    const start = at === undefined ? (isBackwards ? records.length : 0) : indexAt(at);
    for (let index = isBackwards ? start - 1 : start; found.length < count; index += step) {
      const record = records[index];
      if (!record) break;
      if (isWanted(record)) found.push(record);
    }
    return found;
  };

  const write = (streamName: string, event: Proposed): LogRecord => {
    const stream = streams.get(streamName) ?? [];
    streams.set(streamName, stream);
    const record = { ...event, streamName, revision: stream.length, position: end };
    // Positions are byte offsets.
    end += BigInt(100 + event.data.length + event.metadata.length);
    records.push(record);
    positions.add(record.position);
    stream.push(record);
    return record;
  };

  for (const name of ['$$$stats-127.0.0.1:2113', '$stats-127.0.0.1:2113']) write(name, ofServer('$statsCollected'));

  const append = (streamName: string, given: number, events: readonly Proposed[]): AppendOutcome => {
    const stream = listAllRecords(streamName);
    // A stream without visible events counts as missing when none is expected, yet continues at its old revision.
    const expected = given < 0 && listStream(streamName).length === 0 ? stream.length - 1 : given;
    const current = stream.length - 1;
    if (expected < current) {
      const there = stream.slice(expected + 1, expected + 1 + events.length);
      const last = there.at(-1);
      const isRepetition = last !== undefined && events.every((event, index) => event.id === there[index]?.id);
      return isRepetition ? { ok: true, revision: last.revision, position: last.position } : { ok: false, current };
    }
    if (expected > current) return { ok: false, current };
    const written = events.map((event) => write(streamName, event));
    return { ok: true, revision: current + events.length, position: written.at(-1)?.position ?? end };
  };

  /** The server reads exactly at the given position: within the log a record must begin there. */
  const isPlace = (position: bigint): boolean => positions.has(position) || position > (records.at(-1)?.position ?? 0n);

  /** Truncating everything is what EventStoreDB calls a soft delete. */
  const truncate = (name: string, before: number): void => {
    truncatedBefore.set(name, before);
    write(`$$${name}`, { ...ofServer('$metadata'), data: Buffer.from(JSON.stringify({ $tb: before })) });
  };

  const deleted = new Set<string>();
  const isDeleted = (name: string): boolean => deleted.has(name);
  const tombstone = (name: string): LogRecord => {
    deleted.add(name);
    return write(name, ofServer('$streamDeleted'));
  };

  const rewind = (position: bigint): void => {
    for (const gone of records.splice(indexAt(position))) {
      positions.delete(gone.position);
      streams.get(gone.streamName)?.pop();
    }
    end = position;
  };

  const writeAsNeighbour = (events: number): readonly LogRecord[] =>
    Array.from({ length: events }, (_, index) => write(`neighbour-${index % 50}`, ofServer('SensorRead')));

  return {
    records: records as readonly LogRecord[],
    writeAsNeighbour,
    streamOf: listStream,
    from,
    read,
    isPlace,
    append,
    truncate,
    isDeleted,
    tombstone,
    rewind,
  };
};

export type EventStoreDbDoubleLog = ReturnType<typeof eventStoreDbLog>;
