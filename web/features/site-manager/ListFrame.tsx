import type { ReactNode } from 'react';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { useSteadyLoading } from '../../ui/use-steady-loading.ts';
import type { List, More } from './list.ts';
import { counted } from './words.ts';

type ListFrameProps<Row> = {
  readonly list: List<Row>;
  /** What is loading, in a sentence that is heard. */
  readonly loading: string;
  readonly skeleton: ReactNode;
  /** In the place of the rows when there are none. */
  readonly empty: ReactNode;
  /** In the whole list, where somebody else knows it. */
  readonly total?: number | undefined;
  readonly children: (rows: readonly Row[]) => ReactNode;
};

/** A list in each of its states, and the way to more of it. */
export const ListFrame = <Row,>({ list, loading, skeleton, empty, total, children }: ListFrameProps<Row>) => {
  const isLoading = useSteadyLoading(list.state === 'loading');
  if (list.state === 'failed') return <LoadFailed message={list.message} onRetry={list.retry} />;
  if (isLoading || list.state === 'loading')
    return (
      <div aria-busy="true" className="min-h-96">
        <p role="status" className="sr-only">
          {loading}
        </p>
        {isLoading && skeleton}
      </div>
    );
  if (list.rows.length === 0) return empty;
  return (
    <div aria-busy={list.outdated || undefined} className={list.outdated ? 'opacity-60' : undefined}>
      {children(list.rows)}
      {list.more && <LoadMore shown={list.rows.length} total={list.total ?? total} more={list.more} />}
    </div>
  );
};

export const LoadFailed = ({ message, onRetry }: { readonly message: string; readonly onRetry: () => void }) => (
  <Alert className="mt-6" action={<TextButton onClick={onRetry}>Try again</TextButton>}>
    {message}
  </Alert>
);

type LoadMoreProps = { readonly shown: number; readonly total: number | undefined; readonly more: More };

const LoadMore = ({ shown, total, more }: LoadMoreProps) => (
  <div className="mt-12 flex flex-col items-center gap-4">
    {more.failed && !more.loading && <Alert>The rest could not be loaded. Check your connection.</Alert>}
    <output className="figures text-[0.875rem] text-clove">
      Showing {counted(shown)}
      {total !== undefined && ` of ${counted(total)}`}
    </output>
    <Button kind="outline" className="min-w-48" busy={more.loading ? 'Loading...' : undefined} onClick={more.show}>
      {more.failed ? 'Try again' : 'Load more'}
    </Button>
  </div>
);
