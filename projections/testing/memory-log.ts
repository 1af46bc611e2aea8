import { randomUUID } from 'node:crypto';

import {
  logPosition,
  START,
  type Cancellation,
  type Category,
  type Feed,
  type LogPosition,
  type Recorded,
  type StreamHistory,
  type StreamHead,
  type StreamName,
  type Streams,
  NO_STREAM,
} from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';
import { instant } from '#domain/shared/time.ts';

const isInCategories = ({ stream }: Recorded, categories: readonly Category[]): boolean =>
  categories.some((category) => stream === category || stream.startsWith(`${category}-`));

/** A log in memory that can deliver events twice, be unavailable, or be rewound. */
export class MemoryLog implements Feed, Pick<Streams, 'read'> {
  #events: Recorded[] = [];
  #lengths = new Map<StreamName, number>();
  #heard = new Set<() => void>();
  #away: Error | undefined;
  /** Each page is delivered this many times. */
  deliveries = 1;
  /** A page has at most this many events, whatever the caller asks for. */
  pageSize = 100;

  append(stream: StreamName, ...events: readonly DomainEvent[]): LogPosition {
    let revision = this.#lengths.get(stream) ?? 0;
    for (const event of events) {
      const position = logPosition(BigInt(this.#events.length + 1));
      this.#events.push({ stream, revision: revision++, position, ...event, metadata: metadata() });
    }
    this.#lengths.set(stream, revision);
    this.#ring();
    return this.last;
  }

  get last(): LogPosition {
    return this.#events.at(-1)?.position ?? START;
  }

  /** Drops the events after `position`, as the restore of an older backup does. */
  rewindTo(position: LogPosition): void {
    this.#events = this.#events.filter((event) => event.position <= position);
    this.#lengths = new Map(this.#events.map(({ stream, revision }) => [stream, revision + 1]));
  }

  /** Makes the store unavailable until `comeBack`. */
  goAway = (error: Error): void => void (this.#away = error);
  comeBack(): void {
    this.#away = undefined;
    this.#ring();
  }

  async page(after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly Recorded[]> {
    if (this.#away) throw this.#away;
    const page: Recorded[] = [];
    // The first event is at position 1, and positions have no gaps.
    for (let at = Number(after); at < this.#events.length && page.length < Math.min(limit, this.pageSize); at++) {
      const event = this.#events[at];
      if (event && isInCategories(event, categories)) page.push(event);
    }
    return page;
  }

  async *follow(after: LogPosition, categories: readonly Category[], until: Cancellation): AsyncIterable<readonly Recorded[]> {
    for (let from = after; !until.aborted;) {
      const page = await this.page(from, this.pageSize, categories);
      const last = page.at(-1);
      if (!last) {
        await this.#appended(until);
        continue;
      }
      for (let delivery = 0; delivery < this.deliveries; delivery++) yield page;
      from = last.position;
    }
  }

  async read<Event extends DomainEvent>(stream: StreamName, { revision: after }: StreamHead = NO_STREAM): Promise<StreamHistory<Event>> {
    const events = this.#events.filter((event) => event.stream === stream && event.revision > after);
    // The caller states the type of the stream's events.
    return { events: events as never, head: { revision: events.at(-1)?.revision ?? after, hash: '' } };
  }

  at = async (position: LogPosition): Promise<Recorded | undefined> => this.#events.find((event) => event.position === position);

  head = async (categories: readonly Category[]): Promise<LogPosition> => this.#of(categories).at(-1)?.position ?? START;

  #of = (categories: readonly Category[]): readonly Recorded[] => this.#events.filter((event) => isInCategories(event, categories));

  #ring(): void {
    for (const wake of this.#heard) wake();
  }

  #appended(until: Cancellation): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#heard.delete(wake);
        until.removeEventListener('abort', wake);
        resolve();
      };
      this.#heard.add(wake);
      until.addEventListener('abort', wake);
      if (until.aborted) wake();
    });
  }
}

const metadata = () => ({
  eventId: randomUUID(),
  commandId: 'command',
  correlationId: 'request',
  causationId: 'request',
  actor: { kind: 'system' as const, id: 'test' },
  recordedAt: instant('2026-11-14T08:33:00.000Z'),
  version: 1,
  hash: '',
});
