import type { ReactNode } from 'react';
import { Alert } from '../../ui/Alert.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { useDelayedLoading } from '../../ui/use-delayed-loading.ts';
import type { FetchState } from './use-fetch.ts';
import { Status } from '../../ui/Status.tsx';

type FetchStatusProps<Data> = {
  readonly answer: FetchState<Data>;
  readonly again: () => void;
  /** The loading text for screen readers. */
  readonly saying: string;
  readonly children: (data: Data) => ReactNode;
};

/** Renders the answer, a loading state, or the error with a retry. */
export const FetchStatus = <Data,>({ answer, again, saying, children }: FetchStatusProps<Data>) => {
  const drawn = useDelayedLoading(answer.state === 'asking');
  if (answer.state === 'failed') return <Alert action={<TextButton onClick={again}>Try again</TextButton>}>{answer.message}</Alert>;
  if (answer.state === 'here' && !drawn) return children(answer.data);
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
