/*
 * This is the only file that uses internals of the client library, which offers filters for subscriptions only, though the server filters
 * reads too. Tested with @eventstore/db-client 6.2.1; a test fails for any other version.
 */
import type { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { isOfServer } from './eventstoredb-names.ts';

const { Options } = streams.ReadReq;
const BACKWARDS = 1;
/** The server searches this many events at a time. */
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

/** The server itself never writes this many events after the newest event of the shop. */
const AT_MOST = 20;

/**
 * Returns the position of the newest event whose stream has this prefix; 0 when there is none. The read is cancelled when the event
 * arrives, because the server would search to the start of the log for a second one. It is used only for the first search, which starts at
 * the end of the log.
 */
export const newestFiltered = async (client: EventStoreDBClient, prefix: string): Promise<bigint> => {
  const request = requestFor(prefix, AT_MOST);
  const call = client['callArguments']({ requiresLeader: true }, { deadline: Infinity });
  const answers = await client['GRPCStreamCreator'](StreamsClient, 'readAll', (grpc) => grpc.read(request, ...call))();
  // Cancelling emits an error after the loop has ended.
  answers.on('error', () => {});
  let passed = 0;
  try {
    for await (const answer of answers) {
      // The library does not type the stream.
      const event = (answer as streams.ReadResp).getEvent()?.getEvent();
      if (event && !isOfServer(event.getMetadataMap().get('type') ?? '')) return BigInt(event.getCommitPosition());
      if (event) passed += 1;
    }
  } finally {
    answers.cancel();
  }
  if (passed === AT_MOST) throw new Error(`The newest events of ${prefix} are all written by the server itself`);
  return 0n;
};
