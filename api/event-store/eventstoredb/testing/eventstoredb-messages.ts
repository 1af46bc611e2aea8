import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, status } from '@grpc/grpc-js';
import type { AppendOutcome, LogRecord, Proposed } from './eventstoredb-log.ts';

const { ReadResp, AppendResp } = streams;

const named = (name: string) => new shared.StreamIdentifier().setStreamName(Buffer.from(name));

export const parseName = (identifier: shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');

export const eventMessage = (record: LogRecord): streams.ReadResp => {
  const position = String(record.position);
  const event = new ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(record.id))
    .setStreamIdentifier(named(record.streamName))
    .setStreamRevision(String(record.revision))
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(record.data)
    .setCustomMetadata(record.metadata);
  event.getMetadataMap().set('type', record.type).set('content-type', record.contentType).set('created', '17315856000000000');
  return new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(event).setCommitPosition(position));
};

export const confirmation = () =>
  new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(crypto.randomUUID()));
export const checkpoint = (position: bigint) =>
  new ReadResp().setCheckpoint(new ReadResp.Checkpoint().setCommitPosition(String(position)).setPreparePosition(String(position)));
export const caughtUp = () => new ReadResp().setCaughtUp(new ReadResp.CaughtUp());
export const streamNotFound = (name: string) =>
  new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound().setStreamIdentifier(named(name)));

export const parseProposed = (message: streams.AppendReq.ProposedMessage): Proposed => ({
  id: message.getId()?.getString() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  contentType: message.getMetadataMap().get('content-type') ?? '',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
});

export const parseExpected = (options: streams.AppendReq.Options): number => (options.hasNoStream() ? -1 : Number(options.getRevision()));

export const appendAnswer = (outcome: AppendOutcome): streams.AppendResp => {
  if (!outcome.ok) {
    const wrong = new AppendResp.WrongExpectedVersion();
    if (outcome.current < 0) wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(String(outcome.current));
    return new AppendResp().setWrongExpectedVersion(wrong);
  }
  const position = new AppendResp.Position().setCommitPosition(String(outcome.position)).setPreparePosition(String(outcome.position));
  return new AppendResp().setSuccess(new AppendResp.Success().setCurrentRevision(String(outcome.revision)).setPosition(position));
};

/** Returns undefined for either end of the log. */
export const parsePosition = (options: streams.ReadReq.Options): bigint | undefined => {
  const position = options.getAll()?.getPosition();
  return position && BigInt(position.getCommitPosition());
};

/** Returns a predicate; without a filter all events match. */
export const isWantedBy = (options: streams.ReadReq.Options): ((record: LogRecord) => boolean) => {
  if (!options.hasFilter()) return () => true;
  const types = options.getFilter()?.getEventType()?.getPrefixList();
  if (types) return ({ type }) => types.some((prefix) => type.startsWith(prefix));
  const prefixes = options.getFilter()?.getStreamIdentifier()?.getPrefixList() ?? [];
  return ({ streamName }) => prefixes.some((prefix) => streamName.startsWith(prefix));
};

/** A refusal has the code, text and trailers from which the client makes an error. */
export type RefusalOfServer = { readonly code: status; readonly details: string; readonly metadata: Metadata };

const refusal = (code: status, details: string, trailers: Readonly<Record<string, string>> = {}): RefusalOfServer => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return { code, details, metadata };
};

/** The server's default limit is this many bytes. */
export const MAX_APPEND = 1_048_576;

export const notLeader = ({ hostname, port }: URL): RefusalOfServer =>
  refusal(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': hostname,
    'leader-endpoint-port': port,
  });

export type ServerVersion = '23.10' | '24.10';

/** No valid record begins at the given position; the error differs between versions. */
export const invalidPosition = (isSubscription: boolean, version: ServerVersion): RefusalOfServer => {
  if (version === '23.10')
    return refusal(status.UNKNOWN, isSubscription ? 'Exception was thrown by handler.' : 'Unexpected ReadAllResult: Error');
  return isSubscription
    ? refusal(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.')
    : refusal(status.UNKNOWN, 'Unexpected ReadAllResult: InvalidPosition');
};

export const streamDeleted = (name: string): RefusalOfServer =>
  refusal(status.FAILED_PRECONDITION, `Event stream '${name}' is deleted.`, { exception: 'stream-deleted', 'stream-name': name });

export const appendTooLarge = (): RefusalOfServer =>
  refusal(status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND),
  });
