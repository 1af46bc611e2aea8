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
  eventMessage,
  expectedIn,
  isWantedBy,
  nameIn,
  positionIn,
  proposedIn,
  streamNotFound,
} from './eventstoredb-messages.ts';
import {
  appendTooLarge,
  invalidPosition,
  MAX_APPEND,
  notLeader,
  streamDeleted,
  type RefusalOfServer,
  type ServerVersion,
} from './eventstoredb-refusals.ts';
import { subscribersOf, type Reading } from './eventstoredb-subscribers.ts';

type Appending = ServerReadableStream<streams.AppendReq, streams.AppendResp>;

/** What may be wrong with the server. `stalled`: takes calls and answers none. `silent`: subscriptions stay open and bring nothing. */
export type Condition = 'well' | 'stalled' | 'silent';

export type EventStoreDbDouble = {
  readonly connectionString: string;
  readonly log: readonly LogRecord[];
  become(condition: Condition): void;
  /** From now on it is a follower, without anything in its log yet, and sends to this leader whoever asks for the leader. */
  follow(leader: EventStoreDbDouble): void;
  /** It is the leader (again), with what it has in its log. */
  lead(): void;
  /** As whoever administers the server may: of this stream nothing below this revision is told any more. */
  truncate(streamName: string, before: number): void;
  /** As whoever administers the server may: this stream is gone for ever. */
  tombstone(streamName: string): void;
  /** An older backup takes the place of the log, which has nothing from this position on. */
  rewind(position: bigint): void;
  /** The next subscription gives so many signs of life, some time apart, before it has found anything. */
  searchSlowly(signs: number): void;
  /** The next subscription ends after its first event, as if all were well. */
  cutNextSubscription(): void;
  /** Somebody else who shares the server writes so many events, into streams of their own. */
  writeAsNeighbour(events: number): void;
  /** Ends all subscriptions as if all were well. */
  endSubscriptions(): void;
  /** Whoever reads a stream is told that there is none, so many times: the server has taken its first append, and does not tell it yet. */
  tellLate(times: number): void;
  /** Writes the next append and never answers it. */
  swallowNextAnswer(): void;
  /** The process is gone, with all its connections; the log stays. */
  kill(): void;
  /** It is back, at the same address. */
  revive(): Promise<void>;
  /** Since the start: how many subscriptions were asked for, how many other reads, how many appends, and how many records it looked at for subscriptions. */
  subscriptionsEver(): number;
  readsEver(): number;
  appendsEver(): number;
  consideredEver(): number;
  untilSubscribed(times: number): Promise<void>;
  untilRead(times: number): Promise<void>;
  untilAppended(times: number): Promise<void>;
  close(): void;
};

/** The part of EventStoreDB that the adapter uses, over real gRPC, with the faults of a bad day. */
export const startEventStoreDbDouble = async (version: ServerVersion = '23.10'): Promise<EventStoreDbDouble> => {
  const log = eventStoreDbLog();
  const subscribers = subscribersOf(log);
  const asked = { subscriptions: 0, reads: 0, appends: 0 };
  const onAsked = new EventEmitter();
  let condition: Condition = 'well';
  let leader: URL | undefined;
  let isAnswerSwallowed = false;
  let signsBefore = 0;
  let isNextCut = false;
  let untold = 0;

  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await once(onAsked, 'asked');
  };

  const tell = (records: readonly LogRecord[]): void => {
    if (condition === 'well') subscribers.tell(records);
  };

  const asksFor = (options: streams.ReadReq.Options): readonly LogRecord[] => {
    const count = Number(options.getCount());
    if (!options.hasStream())
      return log.read({ at: positionIn(options), isBackwards: options.getReadDirection() === 1, count, isWanted: isWantedBy(options) });
    const from = Number(options.getStream()?.getRevision() ?? 0);
    const stream = log.streamOf(nameIn(options.getStream()?.getStreamIdentifier()), from);
    return options.getStream()?.hasEnd() ? stream.slice(-1) : stream.slice(0, count);
  };

  /** Another node is the leader, and that matters to the caller. */
  const elsewhere = (call: { readonly metadata: Metadata }): RefusalOfServer | undefined =>
    leader && call.metadata.get('requires-leader')[0] === 'true' ? notLeader(leader) : undefined;

  const read = (call: Reading): void => {
    const refusal = elsewhere(call);
    if (refusal) return void call.emit('error', refusal);
    const options = call.request.getOptions();
    asked[options?.hasSubscription() ? 'subscriptions' : 'reads'] += 1;
    onAsked.emit('asked');
    if (condition === 'stalled' || !options) return;
    const at = positionIn(options);
    if (at !== undefined && !log.isPlace(at)) return void call.emit('error', invalidPosition(options.hasSubscription(), version));
    if (options.hasSubscription()) {
      subscribers.add(call, options, { isSilent: condition === 'silent', isCut: isNextCut, signs: signsBefore });
      [signsBefore, isNextCut] = [0, false];
      return;
    }
    const name = nameIn(options.getStream()?.getStreamIdentifier());
    if (log.isDeleted(name)) return void call.emit('error', streamDeleted(name));
    if (options.hasStream() && untold > 0) {
      untold -= 1;
      call.write(streamNotFound(name));
      return void call.end();
    }
    if (options.hasStream() && log.streamOf(name).length === 0) call.write(streamNotFound(name));
    for (const record of asksFor(options)) call.write(eventMessage(record));
    call.end();
  };

  const refusalOf = (name: string, events: readonly Proposed[]): RefusalOfServer | undefined => {
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
      if (message) events.push(proposedIn(message));
    });
    call.on('end', () => {
      asked.appends += 1;
      onAsked.emit('asked');
      const name = nameIn(options?.getStreamIdentifier());
      const refusal = elsewhere(call) ?? refusalOf(name, events);
      if (refusal) return answer(refusal);
      if (condition === 'stalled' || !options) return;
      const before = log.records.length;
      const outcome = log.append(name, expectedIn(options), events);
      tell(log.records.slice(before));
      if (isAnswerSwallowed) isAnswerSwallowed = false;
      else answer(null, appendAnswer(outcome));
    });
  };

  /** Who is the leader, as this node knows it. */
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
    searchSlowly: (signs) => {
      signsBefore = signs;
    },
    cutNextSubscription: () => {
      isNextCut = true;
    },
    writeAsNeighbour: (events) => tell(log.writeAsNeighbour(events)),
    endSubscriptions: subscribers.end,
    tellLate: (times) => {
      untold = times;
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
    untilSubscribed: (times) => until(() => asked.subscriptions >= times),
    untilRead: (times) => until(() => asked.reads >= times),
    untilAppended: (times) => until(() => asked.appends >= times),
    close: kill,
  };
};
