import { useEffect, useEffectEvent, useRef } from 'react';
import { formatNumber } from '../lib/format.ts';
import type { LoadMoreState } from '../lib/paged-list.ts';
import { Alert } from './feedback/Alert.tsx';
import { Button } from './Button.tsx';

type LoadMoreProps = {
  readonly shown: number;
  readonly total?: number | undefined;
  readonly more: LoadMoreState;
  /** Said when the last load failed. Nothing more is loaded then until the button is pressed. */
  readonly failure?: string;
};

const FAILED = 'The rest could not be loaded. Check your connection.';

/** The end of a list that has more rows: scrolling near it loads the next ones, until all are shown. */
export const LoadMore = ({ shown, total, more: { loading, failed, canLoad, show }, failure = FAILED }: LoadMoreProps) => {
  const status = useRef<HTMLOutputElement>(null);
  useFooterPushedDown();
  const again = (): void => {
    // The button that has the focus may disappear.
    status.current?.focus({ preventScroll: true });
    show();
  };
  const isReady = !loading && canLoad && !failed;
  return (
    <div className="mt-16 flex flex-col items-center gap-4">
      {isReady && <ScrollSentinel key={shown} onNear={show} />}
      <output ref={status} tabIndex={-1} className="figures text-[0.875rem] text-clove outline-none">
        {loading ? 'Loading more...' : `Showing ${formatNumber(shown)}${total === undefined ? '' : ` of ${formatNumber(total)}`}`}
      </output>
      {total !== undefined && (
        <div className="h-px w-48 bg-sandal">
          <div className="h-px bg-gold transition-[width]" style={{ width: `${(shown / total) * 100}%` }} />
        </div>
      )}
      {failed && !loading && (
        <>
          <Alert>{failure}</Alert>
          <Button kind="outline" className="min-w-48" onClick={again}>
            Try again
          </Button>
        </>
      )}
    </div>
  );
};

/** Switches off scroll anchoring, with which the browser would keep the footer in view and add new rows unseen above it. */
const useFooterPushedDown = (): void => {
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('overflow-anchor', 'none');
    return () => void style.removeProperty('overflow-anchor');
  }, []);
};

/** The sentinel is near within 400 px of the window's lower edge, or anywhere above it, because a fast scroll can pass it. */
const NEAR = '1000000px 0px 400px 0px';

/** An invisible element that calls `onNear` once when the end of the page is near. */
const ScrollSentinel = ({ onNear }: { readonly onNear: () => void }) => {
  const line = useRef<HTMLDivElement>(null);
  const near = useEffectEvent(onNear);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)?.isIntersecting !== true) return;
        observer.disconnect();
        near();
      },
      { rootMargin: NEAR },
    );
    if (line.current) observer.observe(line.current);
    return () => observer.disconnect();
  }, []);
  return <div ref={line} aria-hidden="true" className="-mb-4" />;
};
