import type { CommandMetadata } from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { instant, type Instant } from '#domain/shared/time.ts';

export const now = (): Instant => instant(new Date().toISOString());

export const sampleCommand = (): CommandMetadata => ({
  commandId: crypto.randomUUID(),
  correlationId: crypto.randomUUID(),
  causationId: crypto.randomUUID(),
  actor: { kind: 'admin', id: crypto.randomUUID() },
});

/** About 500 bytes with its metadata, like most events of the shop. */
export const sampleRevision = (): ProductEvent => ({
  type: 'ProductDetailsRevised',
  data: { changes: { description: 'Smoky oud over amber and rose, worn close to the skin until late.' }, revisedAt: now() },
});
