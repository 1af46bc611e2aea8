import { Link } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { pathWith } from '../../../lib/path-with.ts';
import { momentText } from '../../../lib/dates.ts';
import { formatNumber } from '../../../lib/numbers.ts';
import type { StockChange } from '../admin-types.ts';
import { InSteps } from '../InSteps.tsx';

const kindText: Readonly<Record<StockChange['kind'], string>> = {
  counted: 'Counted',
  received: 'Received',
  removed: 'Removed',
  reserved: 'Reserved',
  released: 'Released',
  shipped: 'Shipped',
  restocked: 'Came back',
};

export const StockChanges = ({ changes }: { readonly changes: readonly StockChange[] }) => (
  <section aria-label="History" className="mt-8">
    <h3 className="display text-h3">History</h3>
    {changes.length === 0 ? (
      <p className="mt-2 text-clove">It was never counted.</p>
    ) : (
      <InSteps rows={changes.map((change, index) => ({ ...change, nth: changes.length - index }))} more="Show earlier changes">
        {(rows) => (
          <ul className="mt-3 border-t border-ink/80">
            {rows.map(({ nth, ...change }) => (
              <Change key={nth} {...change} />
            ))}
          </ul>
        )}
      </InSteps>
    )}
  </section>
);

const Change = ({ at, kind, quantity, reason, by, orderId }: StockChange) => (
  <li className="border-b border-sandal/70 py-3 text-[0.9375rem]">
    <span className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span className="figures font-medium">
        {kindText[kind]} {formatNumber(quantity)}
      </span>
      <span className="figures text-[0.8125rem] text-clove">{momentText(at)}</span>
    </span>
    {reason !== undefined && <span className="block wrap-anywhere">{reason}</span>}
    <span className="block text-[0.8125rem] wrap-anywhere text-clove">
      {by}
      {orderId !== undefined && (
        <>
          {' · '}
          <Link to={pathWith(pages.audit, { order: orderId })} className="link">
            Order<span className="sr-only"> of {momentText(at)}</span>
          </Link>
        </>
      )}
    </span>
  </li>
);
