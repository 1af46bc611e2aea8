import { useSearchParams } from 'react-router-dom';
import type { Instant } from '#domain/shared/time.ts';
import { moneyText } from '../../../lib/format.ts';
import { cx } from '../../../ui/cx.ts';
import { QueryStatus } from '../QueryStatus.tsx';
import { usePricesQuery } from '../audit-api.ts';
import type { PriceSince, Prices } from '../audit-types.ts';
import { clockInIndia } from '../india-time.ts';
import { MomentPicker } from '../MomentPicker.tsx';
import { exactMomentText, describeActor } from '../audit-labels.ts';
import { Status } from '../../../ui/feedback/Status.tsx';

const priceText = (price: number | null): string => (price === null ? 'not for sale' : moneyText(price));

type PriceHistoryProps = { readonly id: string; readonly moment: string | null };

/** Shows a product's prices over time, and the price that carts and orders used at one moment. */
export const PriceHistory = ({ id, moment }: PriceHistoryProps) => {
  const query = usePricesQuery({ id, moment });
  return (
    <section aria-labelledby="prices">
      <QueryStatus query={query} saying="Reading the prices...">
        {(prices) => (
          <>
            <h2 id="prices" className="display text-h3">
              What {prices.name || id} cost
            </h2>
            <PriceThen moment={moment} {...prices} />
            <PriceTable {...prices} />
          </>
        )}
      </QueryStatus>
    </section>
  );
};

const PriceThen = ({ moment, at, people }: Pick<Prices, 'at' | 'people'> & { readonly moment: string | null }) => {
  const [params, setParams] = useSearchParams();
  const pick = (picked: string): string => {
    setParams({ ...Object.fromEntries(params), when: picked }, { replace: true, state: { stay: true } });
    return '';
  };
  return (
    <div className="mt-4 rounded-sm border border-sandal bg-white p-5 sm:p-7">
      <MomentPicker label="At (time in India)" clock={moment === null ? '' : clockInIndia(moment)} onPick={pick} />
      {moment !== null && at !== undefined && (
        <Status className="mt-4 text-[0.9375rem]">
          <span className="text-clove">{exactMomentText(moment as Instant)}: </span>
          <PriceOf at={at} people={people} />
        </Status>
      )}
    </div>
  );
};

const PriceOf = ({ at, people }: { readonly at: PriceSince | null; readonly people: Prices['people'] }) =>
  at === null ? (
    <span className="font-medium">the shop did not have it yet</span>
  ) : (
    <>
      <span className="figures font-semibold">{priceText(at.price)}</span>
      <span className="text-clove">
        , since {exactMomentText(at.since)}, by {describeActor(at.by, people)}
      </span>
    </>
  );

const heads = ['Price', 'From', 'Until', 'By'] as const;

const PriceTable = ({ prices, people }: Prices) => (
  <table className="mt-6 w-full border-t border-ink/80 text-[0.9375rem]">
    <caption className="sr-only">Prices, the oldest first</caption>
    <thead>
      <tr className="border-b border-sandal text-left text-[0.8125rem] text-clove">
        {heads.map((head) => (
          <th key={head} scope="col" className={cx('py-2.5 pr-4 font-medium', head === 'Until' && 'max-sm:hidden')}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {prices.map(({ price, since, by }, index) => (
        <tr key={`${since} ${price}`} className="border-b border-sandal/70 align-top">
          <td className="figures py-3 pr-4 font-medium">{priceText(price)}</td>
          <td className="figures py-3 pr-4 text-clove">{exactMomentText(since)}</td>
          <td className="figures py-3 pr-4 text-clove max-sm:hidden">{untilText(prices[index + 1])}</td>
          <td className="py-3 wrap-anywhere">{describeActor(by, people)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const untilText = (next: PriceSince | undefined): string => (next ? exactMomentText(next.since) : 'now');
