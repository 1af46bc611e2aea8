import { LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { LoadFailed } from '../../ui/feedback/LoadFailed.tsx';
import { LoadMore } from '../../ui/LoadMore.tsx';
import { cx } from '../../ui/cx.ts';
import { useDelayedLoading } from '../../ui/feedback/use-delayed-loading.ts';
import { useRowFocus } from './use-row-focus.ts';
import type { PagedList } from '../../lib/paged-list.ts';
import { Status } from '../../ui/feedback/Status.tsx';

type ListFrameProps<Row> = {
  readonly list: PagedList<Row>;
  /** `loading` is the loading text for screen readers. */
  readonly loading: string;
  readonly skeleton: ReactNode;
  readonly empty: ReactNode;
  readonly total?: number | undefined;
  readonly children: (rows: readonly Row[]) => ReactNode;
};

export const ListFrame = <Row,>(props: ListFrameProps<Row>) => (
  <div ref={useRowFocus()}>
    <Shown {...props} />
  </div>
);

const Shown = <Row,>({ list, loading, skeleton, empty, total, children }: ListFrameProps<Row>) => {
  const isLoading = useDelayedLoading(list.state === 'loading');
  const isOutdated = useDelayedLoading(list.state === 'loaded' && list.outdated);
  if (list.state === 'failed')
    return (
      <LoadFailed className="mt-6" onRetry={list.retry}>
        {list.message}
      </LoadFailed>
    );
  if (isLoading || list.state === 'loading')
    return (
      <div aria-busy="true" className="min-h-96">
        <Status className="sr-only">{loading}</Status>
        {isLoading && skeleton}
      </div>
    );
  if (list.rows.length === 0) return empty;
  return (
    <div aria-busy={list.outdated || undefined} className={cx('relative flow-root', isOutdated && '[&_img]:opacity-40')}>
      {isOutdated && <StillLoading>{loading}</StillLoading>}
      {children(list.rows)}
      {list.more && (
        <LoadMore
          shown={list.rows.length}
          total={list.total ?? total}
          loading={list.more.loading}
          failure={list.more.failed ? 'The rest could not be loaded. Check your connection.' : undefined}
          waits={!list.more.canLoad}
          onMore={list.more.show}
        />
      )}
    </div>
  );
};

/** Shown over outdated rows, which are not dimmed so that they stay readable. */
const StillLoading = ({ children }: { readonly children: string }) => (
  <Status className="absolute inset-x-0 top-0 flex h-6 items-center justify-center gap-2 text-xs text-clove">
    <LoaderCircle className="size-3.5 animate-spin" strokeWidth={2} />
    {children}
  </Status>
);
