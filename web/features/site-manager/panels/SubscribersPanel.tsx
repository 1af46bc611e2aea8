import { dayText } from '../../../lib/dates.ts';
import { formatNumber } from '../../../lib/format.ts';
import { createPagedList } from '../../../lib/paged-list.ts';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import type { Subscriber } from '../admin-types.ts';
import { DownloadCsv } from '../DownloadCsv.tsx';
import { ListFrame } from '../ListFrame.tsx';
import { LINES, useSubscribersInfiniteQuery } from '../admin-api.ts';
import { PanelHead } from '../PanelHead.tsx';
import { usePagesShown } from '../use-panel.ts';

/** Current and former newsletter subscribers, newest first. `active` is the number of current ones. */
export const SubscribersPanel = ({ active }: { readonly active: number | undefined }) => {
  const count = usePagesShown(LINES);
  const list = createPagedList(useSubscribersInfiniteQuery(undefined, count.options), count);
  const isEmpty = list.state === 'loaded' && list.rows.length === 0;
  return (
    <section aria-label="Subscribers">
      <PanelHead title="Subscribers" count={active === undefined ? undefined : `${formatNumber(active)} active`}>
        <DownloadCsv name="subscribers" count={isEmpty ? 0 : undefined} />
      </PanelHead>
      <ListFrame
        list={list}
        loading="Loading subscribers..."
        empty={<EmptyState title="No subscribers yet">Whoever enters an address for the letters stands here.</EmptyState>}
      >
        {(rows) => (
          <ul className="mt-6 border-t border-ink/80 lg:columns-2 lg:gap-x-16">
            {rows.map((subscriber) => (
              <SubscriberRow key={subscriber._id} {...subscriber} />
            ))}
          </ul>
        )}
      </ListFrame>
    </section>
  );
};

const SubscriberRow = ({ email, isActive, createdAt }: Subscriber) => (
  <li className="flex min-h-14 break-inside-avoid items-center justify-between gap-4 border-b border-sandal/70 py-2">
    <span className="min-w-0 flex-1 text-[0.9375rem] wrap-anywhere">{email}</span>
    <span className="figures hidden text-[0.8125rem] text-clove sm:block">{dayText(createdAt)}</span>
    <span className={cx('inline-flex w-24 items-center gap-2 text-[0.875rem]', isActive ? 'text-khus-deep' : 'text-clove')}>
      <span aria-hidden="true" className={cx('size-2 rounded-full', isActive ? 'bg-khus' : 'border border-teak')} />
      {isActive ? 'Active' : 'Inactive'}
    </span>
  </li>
);
