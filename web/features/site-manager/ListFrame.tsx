import { LoaderCircle } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { LoadFailed } from '../../ui/feedback/LoadFailed.tsx';
import { LoadMore } from '../../ui/LoadMore.tsx';
import { cx } from '../../ui/cx.ts';
import { useDelayedLoading } from '../../ui/feedback/use-delayed-loading.ts';
import type { PagedList } from '../../lib/paged-list.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Status } from '../../ui/feedback/Status.tsx';

type ListFrameProps<Row> = {
  readonly list: PagedList<Row>;
  /** `loading` is the loading text for screen readers. */
  readonly loading: string;
  readonly skeleton?: ReactNode;
  readonly empty: ReactNode;
  readonly total?: number | undefined;
  /** `outdated` rows belong to the previous filter. */
  readonly children: (rows: readonly Row[], outdated: boolean) => ReactNode;
};

export const ListFrame = <Row,>(props: ListFrameProps<Row>) => (
  <div ref={useRowFocus()}>
    <Shown {...props} />
  </div>
);

const TABLE = <Skeleton className="mt-6 h-96" />;

const Shown = <Row,>({ list, loading, skeleton = TABLE, empty, total, children }: ListFrameProps<Row>) => {
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
      <div aria-busy="true" className="flow-root min-h-96">
        <Status className="sr-only">{loading}</Status>
        {isLoading && skeleton}
      </div>
    );
  if (list.rows.length === 0) return empty;
  return (
    <div aria-busy={list.outdated || undefined} className={cx('relative flow-root', isOutdated && '[&_img]:opacity-40')}>
      {isOutdated && <StillLoading>{loading}</StillLoading>}
      {children(list.rows, list.outdated)}
      {list.more && <LoadMore shown={list.rows.length} total={list.total ?? total} more={list.more} />}
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

/** Each row of a list carries `data-row`, its number or name. */
const ROW = '[data-row]';
const CONTROL = 'a, button';
const DIALOG = 'dialog';

type Place = { readonly control: Element; readonly row: string | undefined; readonly rowAt: number; readonly controlAt: number };

const nearest = <Of,>(all: readonly Of[], at: number): Of | undefined => all[Math.min(at, all.length - 1)];

/** Returns the position of a control in the list, or undefined outside its rows. */
const findPlace = (list: HTMLElement, control: Element): Place | undefined => {
  const row = control.closest<HTMLElement>(ROW);
  if (!row || !list.contains(row)) return undefined;
  return {
    control,
    row: row.dataset['row'],
    rowAt: [...list.querySelectorAll(ROW)].indexOf(row),
    controlAt: [...row.querySelectorAll(CONTROL)].indexOf(control),
  };
};

const findSuccessor = (list: HTMLElement, { row, rowAt, controlAt }: Place): HTMLElement | null | undefined => {
  const rows = [...list.querySelectorAll<HTMLElement>(ROW)];
  const next = rows.find(({ dataset }) => dataset['row'] === row) ?? nearest(rows, rowAt);
  if (next) return nearest([...next.querySelectorAll<HTMLElement>(CONTROL)], controlAt);
  return list.closest('section')?.querySelector('h2');
};

/**
 * Keeps the focus in a list when its focused control disappears, alone or with its row (a product is deleted, an order's status changes).
 * The focus moves to the control in its place: in the same row, else in the row that took its place, else in the last row, else to the
 * panel's heading. Returns props for the element around the list.
 */
const useRowFocus = () => {
  const list = useRef<HTMLDivElement>(null);
  const last = useRef<Place>(undefined);

  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      // Opening a dialog must not change the remembered position, because the dialog returns the focus.
      if (!list.current || !(target instanceof Element) || target.closest(DIALOG)) return;
      last.current = findPlace(list.current, target);
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);

  // The effect runs after every render, because one of them removes the control.
  useEffect(() => {
    if (!list.current || !last.current || last.current.control.isConnected) return;
    if (document.activeElement === document.body) findSuccessor(list.current, last.current)?.focus();
  });
  return list;
};
