import { skipToken } from '@reduxjs/toolkit/query';
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { dayText } from '../../../lib/dates.ts';
import { count, formatNumber, moneyText } from '../../../lib/format.ts';
import { createPagedList } from '../../../lib/paged-list.ts';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { LINES } from '../admin-api.ts';
import { ListFrame } from '../ListFrame.tsx';
import { useNotify } from '../Notices.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { Segments } from '../Segments.tsx';
import { useFirst, useLast } from '../use-kept-row.ts';
import { useFilters, usePagesShown } from '../use-panel.ts';
import { CustomerDetails, DetailsSkeleton } from './CustomerDetails.tsx';
import {
  type Customer,
  type CustomerCounts,
  type CustomerRow,
  useCustomerCountsQuery,
  useCustomerQuery,
  useCustomersInfiniteQuery,
} from './customers-api.ts';
import { EraseDialog, ExportDialog } from './LetterDialogs.tsx';

const lists = ['all', 'accounts', 'guests'] as const satisfies readonly (keyof CustomerCounts)[];
type List = (typeof lists)[number];

const words: Readonly<Record<List, { readonly text: string; readonly empty: string; readonly help: string }>> = {
  all: { text: 'All', empty: 'No customers yet', help: 'Whoever opens an account or places an order stands here.' },
  accounts: { text: 'With an account', empty: 'No accounts yet', help: 'Whoever opens an account stands here.' },
  guests: { text: 'Guests', empty: 'No guests yet', help: 'Whoever places an order without an account stands here.' },
};

/** A screen shows about so many customers. */
const SCREENFUL = 8;

const NOT_LOADED = { rows: [], outdated: true };

/** What is asked for by letter, and about whom: as it was known when the dialog was opened. */
type Task = { readonly name: 'export' | 'erase'; readonly customer: Customer };

/** The list of customers, and beside it the one that is looked at; on narrow screens one after the other. */
export const CustomersPanel = () => {
  const [valueOf, filter] = useFilters();
  const [text, opened] = [valueOf('q'), valueOf('open')];
  const chosen = lists.find((list) => list === valueOf('status')) ?? 'all';
  const q = useDebounced(text.trim());
  const pages = usePagesShown(LINES);
  const query = useCustomersInfiniteQuery(
    { ...(chosen !== 'all' && { guest: chosen === 'guests' }), ...(q !== '' && { q }) },
    pages.options,
  );
  const { data: countsOfAll } = useCustomerCountsQuery(undefined, { skip: q === '' });
  const counts = query.data?.pages[0]?.counts ?? countsOfAll;

  const [task, setTask] = useState<Task>();
  // The list has somebody who was erased until it is asked for again, and so has the URL until the next render.
  const [erased, setErased] = useState<readonly string[]>([]);
  const loaded = createPagedList(query, pages);
  const list = loaded.state === 'loaded' ? { ...loaded, rows: loaded.rows.filter(({ _id }) => !erased.includes(_id)) } : loaded;

  const isWide = useMedia('(min-width: 64rem)');
  const named = erased.includes(opened) ? '' : opened;
  const isAlone = !isWide && named !== '';
  const first = useFirst(list.state === 'loaded' ? list : NOT_LOADED, `${chosen} ${q}`);
  const shown = named !== '' ? named : isWide ? first : undefined;
  // While the dialog of an erasure is open, the customer is not requested, because the answer could be a 404 at any moment. Live news can
  // remove the cached answer meanwhile, so the last one is kept.
  const answer = useCustomerQuery(task?.name === 'erase' || shown === undefined ? skipToken : shown);
  const customer = useLast(answer.currentData, shown);
  const details = (
    <CustomerDetails
      key={shown}
      customer={customer}
      query={answer}
      beside={isAlone ? 'nothing' : list.state === 'loaded' && list.rows.length > SCREENFUL ? 'long list' : 'list'}
      onTask={(name, of) => setTask({ name, customer: of })}
    />
  );

  const notify = useNotify();
  const leaveErased = (message: string): void => {
    if (task) setErased([task.customer._id, opened]);
    setTask(undefined);
    filter({ open: '' });
    notify({ kind: 'success', message });
  };

  return (
    <section aria-label="Customers">
      <PanelHead title="Customers" count={counts && formatNumber(counts.all)}>
        {!isAlone && (
          <div className="min-w-0 flex-1 lg:w-68 lg:flex-none">
            <SearchInput
              label="Name, e-mail, number"
              value={text}
              onType={(typed) => filter({ q: typed, open: '' })}
              className="h-11 text-[0.9375rem] lg:h-10"
            />
          </div>
        )}
      </PanelHead>
      {isAlone ? (
        details
      ) : (
        <>
          <div className="mt-2">
            <Segments
              label="Lists"
              options={lists.map((value) => ({ value, text: words[value].text, count: counts?.[value] }))}
              chosen={chosen}
              onChoose={(value) => filter({ status: value === 'all' ? '' : value, open: '' })}
            />
          </div>
          <ListFrame
            list={list}
            loading="Loading customers..."
            skeleton={<ListSkeleton />}
            empty={
              q === '' ? (
                <EmptyState title={words[chosen].empty}>{words[chosen].help}</EmptyState>
              ) : (
                <EmptyState
                  title="Nobody found"
                  action={
                    <Button kind="outline" onClick={() => filter({ q: '', status: '' })}>
                      Clear
                    </Button>
                  }
                >
                  <p className="wrap-anywhere">
                    No order has “{q}” in its number, name or e-mail address. An account that has not ordered is found by its whole address.
                  </p>
                </EmptyState>
              )
            }
            total={q === '' ? counts?.[chosen] : undefined}
          >
            {(rows) => (
              <Beside list={<CustomerList rows={rows} shown={isWide ? (customer?._id ?? shown) : undefined} />}>{isWide && details}</Beside>
            )}
          </ListFrame>
        </>
      )}
      {task?.name === 'export' && <ExportDialog customer={task.customer} onClose={() => setTask(undefined)} />}
      {task?.name === 'erase' && <EraseDialog customer={task.customer} onErased={leaveErased} onClose={() => setTask(undefined)} />}
    </section>
  );
};

const Beside = ({ list, children }: { readonly list: ReactNode; readonly children: ReactNode }) => (
  <div className="mt-3 border-t border-ink/80 lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] xl:grid-cols-[21rem_minmax(0,1fr)]">
    {list}
    {children}
  </div>
);

const ListSkeleton = () => (
  <Beside
    list={
      <div className="lg:border-r lg:border-sandal">
        {[1, 2, 3, 4, 5].map((row) => (
          <div key={row} className="h-24 border-b border-sandal/70 py-4 pr-4 pl-5">
            <Skeleton className="h-4 w-32" />
            <Skeleton className="mt-2.5 h-4 w-48" />
            <Skeleton className="mt-2.5 h-3 w-36" />
          </div>
        ))}
      </div>
    }
  >
    <div className="pt-5 pl-6 max-lg:hidden xl:pl-8">
      <DetailsSkeleton />
    </div>
  </Beside>
);

type CustomerListProps = { readonly rows: readonly CustomerRow[]; readonly shown: string | undefined };

const CustomerList = ({ rows, shown }: CustomerListProps) => {
  const [params] = useSearchParams();
  const linkTo = (id: string): string => {
    const address = new URLSearchParams(params);
    address.set('open', id);
    return `?${address}`;
  };
  return (
    <ul className="lg:border-r lg:border-sandal">
      {rows.map(({ _id, name, email, orders, total, guest, lastOrderAt }) => (
        <li key={_id} data-row={_id} className="border-b border-sandal/70">
          <Link
            to={linkTo(_id)}
            state={{ stay: true }}
            aria-current={_id === shown ? 'true' : undefined}
            className={cx(
              'relative block py-3 pr-4 pl-5 hover:bg-white',
              _id === shown && 'lg:bg-white lg:shadow-[inset_3px_0_0_var(--color-oxblood)]',
            )}
          >
            <span className="flex items-baseline justify-between gap-3">
              <bdi className="truncate text-[0.9375rem] font-medium">{name}</bdi>
              {lastOrderAt !== null && <span className="figures shrink-0 text-xs text-clove">{dayText(lastOrderAt)}</span>}
            </span>
            <span className="mt-0.5 line-clamp-2 text-[0.875rem] leading-snug wrap-anywhere text-clove">{email}</span>
            <span className="figures mt-1.5 flex flex-wrap items-center gap-x-3 text-[0.8125rem]">
              <span className="text-clove">{orders === 0 ? 'No orders' : count(orders, 'order')}</span>
              {orders > 0 && <span className="font-medium">{moneyText(total)}</span>}
              {guest && <span className="inline-flex h-5 items-center rounded-xs bg-ash px-1.5 text-xs text-ash-deep">Guest</span>}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
};
