import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
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
