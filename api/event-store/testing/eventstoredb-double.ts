import { EventEmitter, once } from 'node:events';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  Metadata,
  Server,
  ServerCredentials,
  status,
  type ServerReadableStream,
  type ServerWritableStream,
  type UntypedServiceImplementation,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { eventStoreDbLog, type LogRecord, type Proposed } from './eventstoredb-log.ts';
import {
  appendAnswer,
  caughtUp,
  confirmation,
  eventMessage,
  expectedIn,
  nameIn,
  proposedIn,
  streamNotFound,
} from './eventstoredb-messages.ts';

type Reading = ServerWritableStream<streams.ReadReq, streams.ReadResp>;
type Appending = ServerReadableStream<streams.AppendReq, streams.AppendResp>;

/** What may be wrong with the server. `stalled`: takes calls and answers none. `silent`: subscriptions stay open and bring nothing. */
export type Condition = 'well' | 'stalled' | 'silent';

export type EventStoreDbDouble = {
  readonly connectionString: string;
  readonly log: readonly LogRecord[];
  become(condition: Condition): void;
  /** From now on it is a follower, without anything in its log yet, and sends to this leader whoever asks for the leader. */
  follow(leader: EventStoreDbDouble): void;
  /** As whoever administers the server may: of this stream nothing below this revision is told any more. */
  truncate(streamName: string, before: number): void;
  /** Ends all subscriptions as if all were well. */
  endSubscriptions(): void;
  /** Writes the next append and never answers it. */
  swallowNextAnswer(): void;
  /** The process is gone, with all its connections; the log stays. */
  kill(): void;
  /** It is back, at the same address. */
  revive(): Promise<void>;
  /** How many subscriptions were asked for since the start, and how many other reads. */
  subscriptionsEver(): number;
  readsEver(): number;
  untilSubscribed(times: number): Promise<void>;
  untilRead(times: number): Promise<void>;
  close(): void;
};

/** The part of EventStoreDB that the adapter uses, over real gRPC, with the faults of a bad day. */
export const startEventStoreDbDouble = async (): Promise<EventStoreDbDouble> => {
  const log = eventStoreDbLog();
  const subscriptions = new Map<Reading, readonly string[]>();
  const asked = { subscriptions: 0, reads: 0 };
  const onAsked = new EventEmitter();
  let condition: Condition = 'well';
  let leader: URL | undefined;
  let isAnswerSwallowed = false;

  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await once(onAsked, 'asked');
  };

  const isWanted = (prefixes: readonly string[]) => (record: LogRecord) => prefixes.some((prefix) => record.streamName.startsWith(prefix));

  /** The server reads at the very place it is told, and finds nonsense where no record begins; it has two ways to say so. */
  const isNowhere = (from: bigint | undefined): boolean =>
    from !== undefined && from <= (log.records.at(-1)?.position ?? 0n) && !log.isRecordAt(from);
  const refusePosition = (call: Reading, isSubscription: boolean) =>
    call.emit('error', {
      metadata: new Metadata(),
      ...(isSubscription
        ? { code: status.INVALID_ARGUMENT, details: 'Trying to read from an invalid position.' }
        : { code: status.UNKNOWN, details: 'Unexpected ReadAllResult: InvalidPosition' }),
    });

  const positionIn = (options: streams.ReadReq.Options): bigint | undefined => {
    const position = options.getAll()?.getPosition();
    return position && BigInt(position.getCommitPosition());
  };

  const prefixesIn = (options: streams.ReadReq.Options): readonly string[] =>
    options.getFilter()?.getStreamIdentifier()?.getPrefixList() ?? [];

  const subscribe = (call: Reading, options: streams.ReadReq.Options): void => {
    const prefixes = prefixesIn(options);
    const after = positionIn(options) ?? 0n;
    call.on('cancelled', () => subscriptions.delete(call));
    subscriptions.set(call, prefixes);
    call.write(confirmation());
    if (condition === 'silent') return;
    for (const record of log.records.filter(isWanted(prefixes))) if (record.position > after) call.write(eventMessage(record));
    call.write(caughtUp());
  };

  const readAll = (options: streams.ReadReq.Options): readonly LogRecord[] => {
    const isBackwards = options.getReadDirection() === 1;
    const from = positionIn(options);
    const wanted = options.hasFilter() ? log.records.filter(isWanted(prefixesIn(options))) : log.records;
    const records = isBackwards ? wanted.toReversed() : wanted;
    if (from === undefined) return records;
    return records.filter(({ position }) => (isBackwards ? position < from : position >= from));
  };

  /** How the server says that another node is the leader, when that matters to the caller. */
  const elsewhere = (call: { readonly metadata: Metadata }) => {
    if (!leader || call.metadata.get('requires-leader')[0] !== 'true') return undefined;
    const metadata = new Metadata();
    metadata.set('exception', 'not-leader');
    metadata.set('leader-endpoint-host', leader.hostname);
    metadata.set('leader-endpoint-port', leader.port);
    return { code: status.NOT_FOUND, details: 'Leader info available', metadata };
  };

  const read = (call: Reading): void => {
    const refusal = elsewhere(call);
    if (refusal) return void call.emit('error', refusal);
    const options = call.request.getOptions();
    asked[options?.hasSubscription() ? 'subscriptions' : 'reads'] += 1;
    onAsked.emit('asked');
    if (condition === 'stalled' || !options) return;
    if (isNowhere(positionIn(options))) return void refusePosition(call, options.hasSubscription());
    if (options.hasSubscription()) return subscribe(call, options);
    const name = nameIn(options.getStream()?.getStreamIdentifier());
    if (options.hasStream() && log.streamOf(name).length === 0) call.write(streamNotFound(name));
    const from = Number(options.getStream()?.getRevision() ?? 0);
    const records = options.hasStream() ? log.streamOf(name).filter(({ revision }) => revision >= from) : readAll(options);
    for (const record of records.slice(0, Number(options.getCount()))) call.write(eventMessage(record));
    call.end();
  };

  const broadcast = (records: readonly LogRecord[]): void => {
    if (condition !== 'well') return;
    for (const [call, prefixes] of subscriptions) for (const record of records.filter(isWanted(prefixes))) call.write(eventMessage(record));
  };

  const append = (call: Appending, answer: sendUnaryData<streams.AppendResp>): void => {
    let options: streams.AppendReq.Options | undefined;
    const events: Proposed[] = [];
    call.on('data', (request: streams.AppendReq) => {
      options ??= request.getOptions();
      const message = request.getProposedMessage();
      if (message) events.push(proposedIn(message));
    });
    call.on('end', () => {
      const refusal = elsewhere(call);
      if (refusal) return answer(refusal);
      if (condition === 'stalled' || !options) return;
      const before = log.records.length;
      const outcome = log.append(nameIn(options.getStreamIdentifier()), expectedIn(options), events);
      broadcast(log.records.slice(before));
      if (isAnswerSwallowed) isAnswerSwallowed = false;
      else answer(null, appendAnswer(outcome));
    });
  };

  const listen = async (port: number): Promise<{ server: Server; port: number }> => {
    const server = new Server();
    server.addService(StreamsService, { read, append } as UntypedServiceImplementation);
    const bound = await new Promise<number>((resolve, reject) => {
      const told = (error: Error | null, at: number) => (error ? reject(error) : resolve(at));
      server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), told);
    });
    return { server, port: bound };
  };

  let { server, port } = await listen(0);
  const kill = (): void => {
    subscriptions.clear();
    server.forceShutdown();
  };

  return {
    connectionString: `esdb://127.0.0.1:${port}?tls=false`,
    log: log.records,
    become: (next) => {
      condition = next;
    },
    follow: ({ connectionString }) => {
      leader = new URL(connectionString);
    },
    truncate: log.truncate,
    endSubscriptions: () => {
      for (const call of subscriptions.keys()) call.end();
      subscriptions.clear();
    },
    swallowNextAnswer: () => {
      isAnswerSwallowed = true;
    },
    kill,
    revive: async () => {
      ({ server, port } = await listen(port));
    },
    subscriptionsEver: () => asked.subscriptions,
    readsEver: () => asked.reads,
    untilSubscribed: (times) => until(() => asked.subscriptions >= times),
    untilRead: (times) => until(() => asked.reads >= times),
    close: kill,
  };
};
