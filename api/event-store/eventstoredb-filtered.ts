import type { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

const { Options } = streams.ReadReq;
const BACKWARDS = 1;
/** Events that the server looks through at once. */
const WINDOW = 2_000;

const requestFor = (prefixes: string[], maxCount: number): streams.ReadReq => {
  const filter = new Options.FilterOptions()
    .setStreamIdentifier(new Options.FilterOptions.Expression().setPrefixList(prefixes))
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

/**
 * The positions of the newest events whose streams begin with one of these, the newest first. The server filters what it reads as it does
 * what it subscribes to, but the library offers that for subscriptions alone: hence its own parts, by names that it keeps to itself.
 */
export async function* readFilteredBackwards(client: EventStoreDBClient, prefixes: string[], maxCount: number): AsyncGenerator<bigint> {
  const request = requestFor(prefixes, maxCount);
  const call = client['callArguments']({ requiresLeader: true }, { deadline: Infinity });
  const answers = await client['GRPCStreamCreator'](StreamsClient, 'readAll', (grpc) => grpc.read(request, ...call))();
  for await (const answer of answers) {
    // What the library's own types do not say of the stream.
    const event = (answer as streams.ReadResp).getEvent()?.getEvent();
    if (event) yield BigInt(event.getCommitPosition());
  }
}
