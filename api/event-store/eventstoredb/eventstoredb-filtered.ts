/*
 * The one place that uses what the client library keeps to itself: it filters subscriptions alone, though the server filters reads as well.
 * Tried with @eventstore/db-client 6.2.1; a test fails when another version is installed.
 */
import type { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { isOfServer } from './eventstoredb-names.ts';

const { Options } = streams.ReadReq;
const BACKWARDS = 1;
/** Events that the server looks through at once. */
const WINDOW = 2_000;

const requestFor = (prefix: string, maxCount: number): streams.ReadReq => {
  const filter = new Options.FilterOptions()
    .setStreamIdentifier(new Options.FilterOptions.Expression().setPrefixList([prefix]))
    .setMax(WINDOW)
    .setCheckpointintervalmultiplier(1);
  const options = new Options()
    .setAll(new Options.AllOptions().setEnd(new shared.Empty()))
    .setReadDirection(BACKWARDS)
    .setCount(String(maxCount))
    .setUuidOption(new Options.UUIDOption().setString(new shared.Empty()))
    .setFilter(filter);
  return new streams.ReadReq().setOptions(options);
};

/** More than there will ever be of what the server writes itself behind the newest event of the shop. */
const AT_MOST = 20;

/**
 * The position of the newest event whose stream begins with this, 0 when there is none, however many of others lie behind it. It is left
 * as soon as the event is there: the server would go on to the start of the log for a second one. For the first look alone: it begins at
 * the end of the log each time.
 */
export const newestFiltered = async (client: EventStoreDBClient, prefix: string): Promise<bigint> => {
  const request = requestFor(prefix, AT_MOST);
  const call = client['callArguments']({ requiresLeader: true }, { deadline: Infinity });
  const answers = await client['GRPCStreamCreator'](StreamsClient, 'readAll', (grpc) => grpc.read(request, ...call))();
  // That it was cancelled is told as an error, when nobody listens any more.
  answers.on('error', () => {});
  let passed = 0;
  try {
    for await (const answer of answers) {
      // What the library's own types do not say of the stream.
      const event = (answer as streams.ReadResp).getEvent()?.getEvent();
      if (event && !isOfServer(event.getMetadataMap().get('type') ?? '')) return BigInt(event.getCommitPosition());
      if (event) passed += 1;
    }
  } finally {
    answers.cancel();
  }
  if (passed === AT_MOST) throw new Error(`The newest events of ${prefix} are all those of the server`);
  return 0n;
};
