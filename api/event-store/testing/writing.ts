import { expect } from 'vitest';
import {
  START,
  type Category,
  type CommandMetadata,
  type Feed,
  type LogPosition,
  type Recorded,
  type StreamName,
} from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { instant } from '#domain/shared/time.ts';
import type { Paise } from '#domain/shared/money.ts';

const noon = instant('2026-11-14T12:00:00.000Z');

export const soldOut: ProductEvent = { type: 'ProductSoldOut', data: { soldOutAt: noon } };
export const restocked: ProductEvent = { type: 'ProductRestocked', data: { restockedAt: noon } };
export const priceMoved = (step: number): ProductEvent => ({
  type: 'ProductPriceChanged',
  data: { from: (step * 100) as Paise, to: (step * 100 + 100) as Paise, changedAt: noon },
});

export const streamId = (): StreamName => `product-${crypto.randomUUID()}`;

export const command = (): CommandMetadata => ({
  commandId: crypto.randomUUID(),
  correlationId: 'request-1',
  causationId: 'request-1',
  actor: { kind: 'admin', id: 'meera' },
});

type Page = readonly Recorded[];

export const nextPage = async (pages: AsyncIterator<Page>): Promise<Page> => {
  const { done, value } = await pages.next();
  expect(done).not.toBe(true);
  return value ?? [];
};

export const pageUntil = async (feed: Feed, start: LogPosition, last: LogPosition = START): Promise<Page> => {
  const events: Recorded[] = [];
  for (let from = start; from < last; from = events.at(-1)?.position ?? last) {
    const page = await feed.page(from, 100, ['product']);
    if (page.length === 0) break;
    events.push(...page);
  }
  return events;
};

export const untilSeen = async (feed: Feed, after: LogPosition, categories: readonly Category[], count: number): Promise<Page> => {
  const leave = new AbortController();
  const seen: Recorded[] = [];
  for await (const page of feed.follow(after, categories, leave.signal)) {
    seen.push(...page);
    if (seen.length >= count) leave.abort();
  }
  return seen;
};
