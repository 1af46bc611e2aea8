import type { CommandMetadata, StreamName, Streams } from '#domain/event-store.ts';
import { product, type AddProduct } from '#domain/product/product.ts';
import type { Instant } from '#domain/shared/time.ts';
import { exactPrice } from '#domain/shared/money.ts';

import { Rejected, type Execute } from '../../command-handler/execute.ts';
import { openingCatalogue, type SeedProduct } from './opening-products.ts';

const streamOf = ({ slug }: SeedProduct): StreamName => `product-${slug}`;

const commandFor = ({ slug, price: text, inStock, ...details }: SeedProduct, now: Instant): AddProduct => {
  const price = exactPrice(text);
  if (price === undefined) throw new Error(`${slug} has no price: ${text}`);
  return { type: 'AddProduct', details, price, inStock, now };
};

const metadataFor = ({ slug }: SeedProduct): CommandMetadata => ({
  commandId: `seed-${slug}`,
  correlationId: 'seed',
  causationId: 'seed',
  actor: { kind: 'system', id: 'seed' },
});

export type SeedOptions = {
  readonly execute: Execute;
  readonly streams: Pick<Streams, 'read'>;
  readonly now: () => Instant;
  readonly catalogue?: readonly SeedProduct[];
};

/**
 * Adds each perfume of the opening catalogue once, unless it exists or was removed. Returns how many were added. Safe to interrupt, to
 * repeat, and to run in several processes at once.
 */
export const seedCatalogue = async ({ execute, streams, now, catalogue = openingCatalogue }: SeedOptions): Promise<number> => {
  const last = catalogue.at(-1);
  // It is added after all others: later starts read only its stream.
  if (!last || (await streams.read(streamOf(last))).events.length > 0) return 0;

  const add = async (each: SeedProduct): Promise<number> => {
    try {
      await execute(product, streamOf(each), commandFor(each, now()), metadataFor(each));
      return 1;
    } catch (error) {
      if (error instanceof Rejected && error.rejection.code === 'product_already_exists') return 0;
      throw error;
    }
  };
  const added = await Promise.all(catalogue.slice(0, -1).map(add));
  return added.reduce((sum, one) => sum + one, 0) + (await add(last));
};
