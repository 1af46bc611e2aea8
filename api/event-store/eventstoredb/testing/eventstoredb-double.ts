import { EventEmitter, once } from 'node:events';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  Server,
  ServerCredentials,
  type Metadata,
  type ServerReadableStream,
  type UntypedServiceImplementation,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { eventStoreDbLog, type LogRecord, type Proposed } from './eventstoredb-log.ts';
import {
  appendAnswer,
  appendTooLarge,
  eventMessage,
  invalidPosition,
  isWantedBy,
  MAX_APPEND,
  notLeader,
  parseExpected,
  parseName,
  parsePosition,
  parseProposed,
  streamDeleted,
  streamNotFound,
  type RefusalOfServer,
  type ServerVersion,
} from './eventstoredb-messages.ts';
import { createSubscribers, type Reading } from './eventstoredb-subscribers.ts';

type Appending = ServerReadableStream<streams.AppendReq, streams.AppendResp>;

/** A `stalled` server accepts calls and never responds. On a `silent` server subscriptions stay open and receive nothing. */
export type Condition = 'well' | 'stalled' | 'silent';

export type EventStoreDbDouble = {
  readonly connectionString: string;
  readonly log: readonly LogRecord[];
  become(condition: Condition): void;
  /** Makes this node a follower with an empty log, which redirects calls that require the leader. */
  follow(leader: EventStoreDbDouble): void;
  lead(): void;
  /** Hides the stream's events below this revision, as an administrator can. */
  truncate(streamName: string, before: number): void;
  /** Deletes this stream for ever, as an administrator can. */
  tombstone(streamName: string): void;
  /** Restores an older backup: the log ends before this position. */
  rewind(position: bigint): void;
  /** Sets how many ms each subscription takes from one report of its search position to the next. */
  searchFor(milliseconds: number): void;
  /** Ends the next subscription after its first event, without an error. */
  cutNextSubscription(): void;
  /** Writes this many events to other streams, as another user of the server does. */
  writeAsNeighbour(events: number): void;
  /** Ends all subscriptions without an error. */
  endSubscriptions(): void;
  /** Lets this many reads of a stream find nothing: the server has accepted its first append but does not show it yet. */
  tellLate(times: number): void;
  /** Delays the answer to the next read of the log, which has what the log contains now; the returned function sends it. */
  holdNextRead(): () => void;
  /** Writes the next append, but never responds. */
  swallowNextAnswer(): void;
  kill(): void;
  /** Starts the server again at the same address. */
  revive(): Promise<void>;
  subscriptionsEver(): number;
  readsEver(): number;
  appendsEver(): number;
  /** Counts the records that were examined for subscriptions that began before them. */
  consideredEver(): number;
  /** Counts the subscriptions that have not caught up. One that its client has cancelled counts until the server notices. */
  catchingUp(): number;
  untilSubscribed(times: number): Promise<void>;
  untilRead(times: number): Promise<void>;
  untilAppended(times: number): Promise<void>;
  close(): void;
};

/** Starts a server with the parts of EventStoreDB that the adapter uses, over real gRPC, with injectable faults. */
export const startEventStoreDbDouble = async (version: ServerVersion = '23.10'): Promise<EventStoreDbDouble> => {
  const log = eventStoreDbLog();
  const subscribers = createSubscribers(log);
  const asked = { subscriptions: 0, reads: 0, appends: 0 };
  const onAsked = new EventEmitter();
  let condition: Condition = 'well';
  let leader: URL | undefined;
  let isAnswerSwallowed = false;
  let pause = 0;
  let isNextCut = false;
  let untold = 0;
  let held: Promise<void> | undefined;

  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await once(onAsked, 'asked');
  };

  const tell = (records: readonly LogRecord[]): void => {
    if (condition === 'well') subscribers.tell(records);
  };

  const asksFor = (options: streams.ReadReq.Options): readonly LogRecord[] => {
    const count = Number(options.getCount());
    if (!options.hasStream())
      return log.read({ at: parsePosition(options), isBackwards: options.getReadDirection() === 1, count, isWanted: isWantedBy(options) });
    const from = Number(options.getStream()?.getRevision() ?? 0);
    const stream = log.streamOf(parseName(options.getStream()?.getStreamIdentifier()), from);
    return options.getStream()?.hasEnd() ? stream.slice(-1) : stream.slice(0, count);
  };

  /** Refuses calls that require the leader while this node is a follower. */
  const elsewhere = (call: { readonly metadata: Metadata }): RefusalOfServer | undefined =>
    leader && call.metadata.get('requires-leader')[0] === 'true' ? notLeader(leader) : undefined;

  const read = (call: Reading): void => {
    const refusal = elsewhere(call);
    if (refusal) return void call.emit('error', refusal);
    const options = call.request.getOptions();
    asked[options?.hasSubscription() ? 'subscriptions' : 'reads'] += 1;
    onAsked.emit('asked');
    if (condition === 'stalled' || !options) return;
    const at = parsePosition(options);
    if (at !== undefined && !log.isPlace(at)) return void call.emit('error', invalidPosition(options.hasSubscription(), version));
    if (options.hasSubscription()) {
      subscribers.add(call, options, { isSilent: condition === 'silent', isCut: isNextCut, pause });
      isNextCut = false;
      return;
    }
    const name = parseName(options.getStream()?.getStreamIdentifier());
    if (log.isDeleted(name)) return void call.emit('error', streamDeleted(name));
    if (options.hasStream() && untold > 0) {
      untold -= 1;
      call.write(streamNotFound(name));
      return void call.end();
    }
    if (options.hasStream() && log.streamOf(name).length === 0) call.write(streamNotFound(name));
    const records = asksFor(options);
    const send = (): void => {
      for (const record of records) call.write(eventMessage(record));
      call.end();
    };
    if (!held) return send();
    void held.then(send);
    held = undefined;
  };

  const findRefusal = (name: string, events: readonly Proposed[]): RefusalOfServer | undefined => {
    if (log.isDeleted(name)) return streamDeleted(name);
    const size = events.reduce((sum, { type, data, metadata }) => sum + 2 * type.length + data.length + metadata.length, 0);
    return size > MAX_APPEND ? appendTooLarge() : undefined;
  };

  const append = (call: Appending, answer: sendUnaryData<streams.AppendResp>): void => {
    let options: streams.AppendReq.Options | undefined;
    const events: Proposed[] = [];
    call.on('data', (request: streams.AppendReq) => {
      options ??= request.getOptions();
      const message = request.getProposedMessage();
      if (message) events.push(parseProposed(message));
    });
    call.on('end', () => {
      asked.appends += 1;
      onAsked.emit('asked');
      const name = parseName(options?.getStreamIdentifier());
      const refusal = elsewhere(call) ?? findRefusal(name, events);
      if (refusal) return answer(refusal);
      if (condition === 'stalled' || !options) return;
      const before = log.records.length;
      const outcome = log.append(name, parseExpected(options), events);
      tell(log.records.slice(before));
      if (isAnswerSwallowed) isAnswerSwallowed = false;
      else answer(null, appendAnswer(outcome));
    });
  };

  const tellOfCluster = (_: unknown, answer: sendUnaryData<gossip.ClusterInfo>): void => {
    if (condition === 'stalled') return;
    const { hostname, port: at } = leader ?? new URL(`esdb://127.0.0.1:${port}`);
    const member = new gossip.MemberInfo()
      .setInstanceId(new shared.UUID().setString(crypto.randomUUID()))
      .setState(gossip.MemberInfo.VNodeState.LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(new gossip.EndPoint().setAddress(hostname).setPort(Number(at)));
    answer(null, new gossip.ClusterInfo().setMembersList([member]));
  };

  const listen = async (port: number): Promise<{ server: Server; port: number }> => {
    const server = new Server();
    server.addService(StreamsService, { read, append } as UntypedServiceImplementation);
    server.addService(GossipService, { read: tellOfCluster } as UntypedServiceImplementation);
    const bound = await new Promise<number>((resolve, reject) => {
      const told = (error: Error | null, at: number) => (error ? reject(error) : resolve(at));
      server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), told);
    });
    return { server, port: bound };
  };

  let { server, port } = await listen(0);
  const kill = (): void => {
    subscribers.forget();
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
    lead: () => {
      leader = undefined;
    },
    truncate: log.truncate,
    tombstone: (name) => tell([log.tombstone(name)]),
    rewind: log.rewind,
    searchFor: (milliseconds) => {
      pause = milliseconds;
    },
    cutNextSubscription: () => {
      isNextCut = true;
    },
    writeAsNeighbour: (events) => tell(log.writeAsNeighbour(events)),
    endSubscriptions: subscribers.end,
    tellLate: (times) => {
      untold = times;
    },
    holdNextRead: () => {
      let release = (): void => {};
      held = new Promise((resolve) => (release = resolve));
      return () => release();
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
    appendsEver: () => asked.appends,
    consideredEver: subscribers.consideredEver,
    catchingUp: subscribers.catchingUp,
    untilSubscribed: (times) => until(() => asked.subscriptions >= times),
    untilRead: (times) => until(() => asked.reads >= times),
    untilAppended: (times) => until(() => asked.appends >= times),
    close: kill,
  };
};
