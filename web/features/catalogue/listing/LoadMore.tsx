import { useEffect } from 'react';
import { counted } from '../../../lib/numbers.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { STEP } from '#domain/first-calls.ts';
import { NearEnd } from './ScrollSentinel.tsx';
import type { MoreProducts } from './use-listing.ts';

type LoadMoreProps = {
  readonly shown: number;
  readonly total: number;
  readonly more: MoreProducts;
  /** The button was pressed. */
  readonly onAsk: () => void;
};

/** The end of the grid while there is more: coming near it takes the first steps, the button every step. */
export const LoadMore = ({ shown, total, more, onAsk }: LoadMoreProps) => {
  useFooterPushedDown();
  const byScrolling = more.byScrolling && !more.loading && !more.failed;
  return (
    <div className="mt-16 flex flex-col items-center gap-4">
      {byScrolling && <NearEnd key={shown} onNear={more.show} fromAfar={shown > STEP} />}
      {more.failed && !more.loading && <Alert>Failed to load products.</Alert>}
      <output className="figures text-[0.875rem] text-clove">
        Showing {counted(shown)} of {counted(total)}
      </output>
      <div className="h-px w-48 bg-sandal">
        <div className="h-px bg-gold transition-[width]" style={{ width: `${(shown / total) * 100}%` }} />
      </div>
      <Button kind="outline" className="mt-2 min-w-48" busy={more.loading ? 'Loading...' : undefined} onClick={onAsk}>
        {more.failed ? 'Try again' : 'Load more'}
      </Button>
    </div>
  );
};

/**
 * Whoever flings to the footer sees it give way to what comes, and scrolls on from there. With the browser's scroll anchoring
 * the footer would stay in the window, and the new products would come unseen above it.
 */
const useFooterPushedDown = (): void => {
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('overflow-anchor', 'none');
    return () => void style.removeProperty('overflow-anchor');
  }, []);
};
