import type { ProductId } from '#domain/shared/ids.ts';
import { momentText } from '../../../lib/dates.ts';
import type { PriceSince } from '../admin-types.ts';
import { usePricesQuery } from '../admin-api.ts';
import { TableHead } from '../TableHead.tsx';

/** What the product cost since when, and who said so: from its events, the newest first. */
export const PriceHistory = ({ id }: { readonly id: ProductId }) => {
  const { data, isError } = usePricesQuery(id);
  return (
    <section aria-label="Price history" className="mt-9">
      <h3 className="display text-h3">Price history</h3>
      {isError && !data && <p className="mt-2 text-clove">The price history could not be loaded.</p>}
      {data && <Prices prices={data} />}
    </section>
  );
};

const who: Readonly<Record<string, string>> = { admin: 'An admin', system: 'The opening catalogue' };

const Prices = ({ prices }: { readonly prices: readonly PriceSince[] }) => (
  <table className="mt-3 w-full border-t border-ink/80">
    <TableHead columns={['Price', 'Since', 'Set by']} />
    <tbody>
      {prices.map(({ price, since, by }) => (
        <tr key={since} className="border-b border-sandal/70 text-[0.9375rem]">
          <td className="figures py-3 pr-6">{price || 'Not for sale'}</td>
          <td className="figures py-3 pr-6">{momentText(since)}</td>
          <td className="py-3 text-clove">{who[by.kind] ?? 'Somebody'}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
