import { type SubmitEventHandler, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { shortMomentText } from '../../lib/dates.ts';
import { count, moneyText } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { AuditStore } from './AuditStore.tsx';
import { QueryStatus } from './QueryStatus.tsx';
import { SecurityLog } from './SecurityLog.tsx';
import { useFoundOrdersQuery } from './audit-api.ts';
import type { FoundOrders as Found } from './audit-types.ts';
import { auditPath, orderPath, searchPath } from './audit-paths.ts';
import { LogView } from './log/LogView.tsx';
import { OrderAudit } from './order/OrderAudit.tsx';
import { WhatIf } from './what-if/WhatIf.tsx';

/** A search text that must not be in the URL is kept in the history entry's state. */
const searchState = (q: string) => ({ sought: q });

const parseSearch = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'sought' in state && typeof state.sought === 'string' ? state.sought : null;

const useSearchState = () => {
  const [params] = useSearchParams();
  const { state } = useLocation();
  const [order, q, stream] = ['order', 'q', 'stream'].map((name) => params.get(name));
  return { order: order ?? null, q: q ?? parseSearch(state), stream: stream ?? null };
};

/**
 * Shows what the URL names: an order (`?order=`, and `&at=` for a revision or moment), a search (`?q=`) or one stream (`?stream=`). Without
 * a name it shows the whole event log, the what-if form and the security log.
 */
const Asked = () => {
  const { order, q, stream } = useSearchState();
  if (order) return <OrderAudit key={order} name={order} />;
  if (q) return <FoundOrders key={q} q={q} />;
  if (stream) return <LogView />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-section">
      <LogView />
      <WhatIf />
      <SecurityLog />
    </div>
  );
};

/** `/audit`: orders as they were after each event, and the event log itself. */
export const AuditPage = () => {
  const { order, q, stream } = useSearchState();
  return (
    <div className="page-x pb-section">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5 pt-10 pb-8 md:pt-14">
        <div>
          <h1 className="display text-h1">Audit</h1>
          <p className="mt-2 text-clove">Every order, exactly as it stood, and who changed it.</p>
          {(order ?? q ?? stream) !== null && (
            <TextLink to={auditPath} className="mt-1">
              The whole log
            </TextLink>
          )}
        </div>
        <AuditSearch key={order ?? q} sought={order ?? q ?? ''} />
      </div>
      <AuditStore>
        <Asked />
      </AuditStore>
    </div>
  );
};

const NAMES_ONE = /^(?:RH-[0-9A-Z]{8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

const pathFor = (text: string): string => (text === '' ? auditPath : NAMES_ONE.test(text) ? orderPath(text) : searchPath(text));

/** An email address must not appear in a URL, because histories and logs keep URLs. */
const isAddress = (text: string): boolean => text.includes('@');

const AuditSearch = ({ sought }: { readonly sought: string }) => {
  const navigate = useNavigate();
  const [text, setText] = useState(sought);
  const find: SubmitEventHandler = (event) => {
    event.preventDefault();
    const wanted = text.trim();
    void (isAddress(wanted) ? navigate(auditPath, { state: searchState(wanted) }) : navigate(pathFor(wanted)));
  };
  return (
    <form role="search" aria-label="Orders" onSubmit={find} className="flex w-full gap-2 sm:w-[30rem]">
      <div className="flex-1">
        <SearchInput
          label="Find an order"
          placeholder="Order number, id or e-mail"
          value={text}
          spellCheck={false}
          onType={setText}
          className="h-12"
        />
      </div>
      <Button type="submit" kind="outline" className="h-12">
        Find
      </Button>
    </form>
  );
};

const FoundOrders = ({ q }: { readonly q: string }) => (
  <QueryStatus query={useFoundOrdersQuery(q)} saying="Looking for orders...">
    {(found) => (found.orders.length === 0 ? <Nothing q={q} /> : <OrderList {...found} />)}
  </QueryStatus>
);

const Nothing = ({ q }: { readonly q: string }) => (
  <EmptyState title="No such order">
    Nothing was placed under “<span className="wrap-anywhere">{q}</span>”. A checkout that was never placed is found by its id alone.
  </EmptyState>
);

const OrderList = ({ orders, hasMore }: Found) => (
  <section aria-labelledby="found">
    <h2 id="found" className="display text-h3">
      {hasMore ? `The newest ${orders.length} of more: say more of the order` : `${count(orders.length, 'order')} found`}
    </h2>
    <ul className="mt-4 border-t border-ink/80">
      {orders.map(({ _id, orderNumber, status, placedAt, total, email }) => (
        <li
          key={_id}
          className="relative grid gap-x-6 gap-y-1 border-b border-sandal py-4 hover:bg-white md:grid-cols-[12rem_9rem_1fr_10rem_8rem] md:items-center"
        >
          <Link to={orderPath(orderNumber ?? _id)} className="figures font-semibold after:absolute after:inset-0">
            {orderNumber ?? _id.slice(0, 8)}
          </Link>
          <span>
            <Badge status={status} />
          </span>
          <span className="wrap-anywhere text-clove">{email}</span>
          <span className="figures text-sm text-clove">{placedAt === null ? 'not placed' : shortMomentText(placedAt)}</span>
          <span className="figures md:text-right">{moneyText(total)}</span>
        </li>
      ))}
    </ul>
  </section>
);
