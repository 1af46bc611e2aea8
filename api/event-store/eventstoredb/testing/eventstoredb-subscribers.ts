import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { EventStoreDbDoubleLog, LogRecord } from './eventstoredb-log.ts';
import { caughtUp, checkpoint, confirmation, eventMessage, isWantedBy, parsePosition } from './eventstoredb-messages.ts';

export type Reading = ServerWritableStream<streams.ReadReq, streams.ReadResp>;
type Subscriber = {
  readonly isWanted: (record: LogRecord) => boolean;
  readonly window: number;
  readonly after: bigint;
  considered: number;
};

export const createSubscribers = (log: EventStoreDbDoubleLog) => {
  const subscribers = new Map<Reading, Subscriber>();
  const catchingUp = new Set<Reading>();
  let considered = 0;

  /** Sends a matching event, and a checkpoint after each window of examined records. */
  const show = (call: Reading, subscriber: Subscriber, record: LogRecord): void => {
    // Beyond the end of the log, records below the start position are skipped silently.
    if (record.position <= subscriber.after) return;
    if (subscriber.isWanted(record)) call.write(eventMessage(record));
    subscriber.considered = (subscriber.considered + 1) % subscriber.window;
    if (subscriber.considered === 0) call.write(checkpoint(record.position));
  };

  /** `pause` is the time in ms that the server takes for a window. */
  const catchUp = (call: Reading, subscriber: Subscriber, after: bigint, pause: number): void => {
    if (call.cancelled) return void catchingUp.delete(call);
    const missed = log.from(after + 1n).slice(0, subscriber.window);
    considered += missed.length;
    for (const record of missed) show(call, subscriber, record);
    const last = missed.at(-1);
    if (last) {
      call.write(checkpoint(last.position));
      return void (pause > 0
        ? setTimeout(catchUp, pause, call, subscriber, last.position, pause)
        : catchUp(call, subscriber, last.position, 0));
    }
    call.write(caughtUp());
    catchingUp.delete(call);
    subscribers.set(call, subscriber);
  };

  return {
    /**
     * Brings a subscriber up to date, with a pause for each window. A `silent` server sends nothing; a `cut` subscription ends after its
     * first event.
     */
    add: (
      call: Reading,
      options: streams.ReadReq.Options,
      how: { readonly isSilent: boolean; readonly isCut: boolean; readonly pause: number },
    ): void => {
      const after = parsePosition(options) ?? 0n;
      const subscriber = { isWanted: isWantedBy(options), window: options.getFilter()?.getMax() ?? 32, after, considered: 0 };
      call.on('cancelled', () => subscribers.delete(call));
      call.write(confirmation());
      if (how.isSilent) return void subscribers.set(call, subscriber);
      if (how.isCut) {
        const first = log.from(after + 1n).find(subscriber.isWanted);
        if (first) call.write(eventMessage(first));
        return void call.end();
      }
      catchingUp.add(call);
      catchUp(call, subscriber, after, how.pause);
    },
    tell: (records: readonly LogRecord[]): void => {
      for (const [call, subscriber] of subscribers) for (const record of records) show(call, subscriber, record);
    },
    end: (): void => {
      for (const call of subscribers.keys()) call.end();
      subscribers.clear();
    },
    forget: (): void => subscribers.clear(),
    consideredEver: (): number => considered,
    catchingUp: (): number => catchingUp.size,
  };
};
