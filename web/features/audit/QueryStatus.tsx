import type { ReactNode } from 'react';
import { getMessage } from '../../lib/http/api.ts';
import { LoadFailed } from '../../ui/feedback/LoadFailed.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Status } from '../../ui/feedback/Status.tsx';
import { useDelayedLoading } from '../../ui/feedback/use-delayed-loading.ts';

type Query<Data> = {
  readonly currentData?: Data | undefined;
  readonly error?: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
};

type QueryStatusProps<Data> = {
  readonly query: Query<Data>;
  /** `saying` is the loading text for screen readers. */
  readonly saying: string;
  readonly children: (data: Data) => ReactNode;
};

export const QueryStatus = <Data,>({ query, saying, children }: QueryStatusProps<Data>) => {
  const { currentData: data, error, isFetching, refetch } = query;
  const isLoading = data === undefined && isFetching;
  const drawn = useDelayedLoading(isLoading);
  if (error !== undefined && !isFetching) return <LoadFailed onRetry={() => void refetch()}>{getMessage(error)}</LoadFailed>;
  if (data !== undefined && !drawn) return children(data);
  return (
    <div aria-busy="true" className="min-h-[50svh]">
      <Status className="sr-only">{saying}</Status>
      {drawn && (
        <div className="grid gap-4">
          <Skeleton className="h-24" />
          <Skeleton className="h-40" />
          <Skeleton className="h-64" />
        </div>
      )}
    </div>
  );
};
