import type { CommandMetadata, StreamName, Streams } from '#domain/event-store.ts';
import { product, type AddProduct } from '#domain/product/product.ts';
import { productId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';
import { exactPrice } from '#domain/shared/money.ts';
import { stock, type Stock, stockStream } from '#domain/stock/stock.ts';

import { Rejected, type Execute } from '../../command-handler/execute.ts';
import { openingCatalogue, type SeedProduct } from './opening-products.ts';

const productStreamFor = ({ slug }: SeedProduct): StreamName => `product-${slug}`;

const commandFor = (seeded: SeedProduct, now: Instant): AddProduct => {
  const { slug, price: text, inStock, bottles: _, ...details } = seeded;
  const price = exactPrice(text);
  if (price === undefined) throw new Error(`${slug} has no price: ${text}`);
  return { type: 'AddProduct', details, price, inStock, now };
};

const metadataFor = (stream: string): CommandMetadata => ({
  commandId: `seed-${stream}`,
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
 * Adds each perfume of the opening catalogue once, unless it exists or was removed, and counts its bottles before. Returns the number of
 * perfumes added. It can be interrupted, repeated, and run in several processes at once.
 */
export const seedCatalogue = async ({ execute, streams, now, catalogue = openingCatalogue }: SeedOptions): Promise<number> => {
  const last = catalogue.at(-1);
  // The last perfume is added after all others, so later starts read only its stream.
  if (!last || (await streams.read(productStreamFor(last))).events.length > 0) return 0;

  /** Counts only before the perfume is added, so that later counts by staff stay. */
  const countBottles = async (each: SeedProduct): Promise<void> => {
    const { slug, bottles } = each;
    if (bottles === undefined || (await streams.read(productStreamFor(each))).events.length > 0) return;
    const stream = stockStream(productId(slug));
    // An interrupted start may have counted the bottles already.
    const command = async ({ isCounted, onHand }: Stock) =>
      ({ type: 'CountStock', quantity: isCounted ? onHand : bottles, now: now() }) as const;
    await execute(stock, stream, command, metadataFor(stream));
  };
  const add = async (each: SeedProduct): Promise<number> => {
    await countBottles(each);
    try {
      await execute(product, productStreamFor(each), commandFor(each, now()), metadataFor(each.slug));
      return 1;
    } catch (error) {
      if (error instanceof Rejected && error.rejection.code === 'product_already_exists') return 0;
      throw error;
    }
  };
  const added = await Promise.all(catalogue.slice(0, -1).map(add));
  return added.reduce((sum, one) => sum + one, 0) + (await add(last));
};
