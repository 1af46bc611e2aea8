/** A record of the log of a double of EventStoreDB, bytes as they came. */
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
  /** -1: no stream. */
  | { readonly ok: false; readonly current: number };

const FIRST_POSITION = 1_024n;

/** What EventStoreDB does with appends, read from its source: the check of the revision, and what it takes for a repetition. */
export const eventStoreDbLog = () => {
  const records: LogRecord[] = [];
  const positions = new Set<bigint>();
  const streams = new Map<string, LogRecord[]>();
  /** Revisions below this are no longer told. */
  const truncatedBefore = new Map<string, number>();
  let end = FIRST_POSITION;

  const everIn = (name: string): readonly LogRecord[] => streams.get(name) ?? [];
  const streamOf = (name: string): readonly LogRecord[] => everIn(name).slice(truncatedBefore.get(name) ?? 0);

  const write = (streamName: string, event: Proposed): LogRecord => {
    const stream = streams.get(streamName) ?? [];
    streams.set(streamName, stream);
    const record = { ...event, streamName, revision: stream.length, position: end };
    // Positions are places in a file of bytes: an event stands as far behind the one before it as that is long.
    end += BigInt(100 + event.data.length + event.metadata.length);
    records.push(record);
    positions.add(record.position);
    stream.push(record);
    return record;
  };

  const append = (streamName: string, given: number, events: readonly Proposed[]): AppendOutcome => {
    const stream = everIn(streamName);
    // A stream of which nothing is told is none to whoever expects none, and yet goes on where it was.
    const expected = given < 0 && streamOf(streamName).length === 0 ? stream.length - 1 : given;
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

  const isRecordAt = (position: bigint): boolean => positions.has(position);

  /** As somebody may do who administers the server; all of a stream is what it calls a soft delete. */
  const truncate = (name: string, before: number): void => void truncatedBefore.set(name, before);

  return { records: records as readonly LogRecord[], streamOf, isRecordAt, append, truncate };
};
