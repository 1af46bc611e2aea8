import { ArrowLeft, Check, CircleAlert, LoaderCircle } from 'lucide-react';
import { memo } from 'react';
import { count } from '../../../../lib/format.ts';
import { Button } from '../../../../ui/Button.tsx';
import { cx } from '../../../../ui/cx.ts';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { useFocusWhenGone } from '../../../../ui/use-focus-when-gone.ts';
import { type Deed, deedWords } from '../next-deed.ts';
import { type Batch, countOutcomes, type Outcome } from './batch-slice.ts';
import { placeText } from './ShipTable.tsx';

type BatchProgressProps = {
  readonly batch: Batch;
  readonly onStop: () => void;
  readonly onBack: () => void;
  readonly onOpen: (number: string) => void;
  /** Goes on with those that are done. */
  readonly onNext: (deed: Deed) => void;
  readonly onAgain: () => void;
};

/** What usually follows. Packing is no condition of shipping. */
const following: Readonly<Record<Deed, readonly Deed[]>> = { confirm: ['pack', 'ship'], pack: ['ship'], ship: [], deliver: [] };

/** How far a batch has come, and what came of each order. It goes on when this is left. */
export const BatchProgress = ({ batch, onStop, onBack, onOpen, onNext, onAgain }: BatchProgressProps) => {
  const { deed, rows, isRunning } = batch;
  const words = deedWords[deed];
  const { done, failed, stopped, of } = countOutcomes(batch);
  const status = useFocusWhenGone<HTMLParagraphElement>(!isRunning);
  return (
    <section aria-label={`${words.doing} ${count(of, 'order')}`}>
      <div className="flex flex-wrap items-center gap-3">
        <IconButton icon={ArrowLeft} label="Back to the orders" onClick={onBack} className="-ml-2" />
        <h2 className="display min-h-10 text-[1.625rem] leading-10 lg:text-[2rem]">
          {words.doing} {count(of, 'order')}
        </h2>
        <div className="ml-auto flex flex-wrap gap-2">
          {isRunning && (
            <Button kind="outline" disabled={batch.isStopping} onClick={onStop}>
              Stop after these
            </Button>
          )}
          {!isRunning && failed + stopped > 0 && (
            <Button kind="outline" onClick={onAgain}>
              Try {count(failed + stopped, 'order')} again
            </Button>
          )}
          {!isRunning &&
            done > 0 &&
            following[deed].map((next, index, all) => (
              <Button key={next} kind={index === all.length - 1 ? 'primary' : 'outline'} onClick={() => onNext(next)}>
                {deedWords[next].action} {count(done, 'order')}
              </Button>
            ))}
        </div>
      </div>
      <div className="mt-4 rounded-sm border border-sandal bg-white px-5 py-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <p role="status" ref={status} tabIndex={-1} className="figures text-[1.0625rem]">
            <span className="font-medium">
              {done} of {of} done.
            </span>{' '}
            {failed > 0 && (
              <span className="text-sindoor">
                {failed} {words.failed}.
              </span>
            )}{' '}
            {stopped > 0 && <span>Stopped before {stopped}.</span>}
          </p>
          {isRunning && <p className="text-[0.875rem] text-clove">You can leave this page; it goes on.</p>}
        </div>
        <div
          role="progressbar"
          aria-valuemin={0}
          aria-valuemax={of}
          aria-valuenow={done + failed}
          aria-label={words.doing}
          className="mt-3 flex h-1.5 overflow-hidden rounded-full bg-travertine"
        >
          <span className="bg-khus" style={{ width: `${(done / of) * 100}%` }} />
          <span className="bg-sindoor" style={{ width: `${(failed / of) * 100}%` }} />
        </div>
      </div>
      <ul aria-label="What came of each order" className="mt-5 border-t border-ink/80 text-[0.875rem]">
        {rows.map((row) => (
          <Row key={row.order._id} row={row} deed={deed} onOpen={row.outcome.state === 'failed' ? onOpen : undefined} />
        ))}
      </ul>
    </section>
  );
};

type RowProps = {
  readonly row: Batch['rows'][number];
  readonly deed: Deed;
  /** Given where the order can be opened. */
  readonly onOpen: BatchProgressProps['onOpen'] | undefined;
};

/** Of thousands of rows only the one that moved is rendered again. */
const Row = memo(({ row: { order, shipment, outcome }, deed, onOpen }: RowProps) => {
  const { orderNumber: number } = order;
  return (
    <li
      className={cx(
        'grid gap-x-4 gap-y-1 border-b border-sandal/70 px-2 py-3 lg:min-h-12 lg:grid-cols-[9rem_14rem_14rem_minmax(0,1fr)_auto] lg:items-center lg:py-1.5',
        outcome.state === 'failed' && 'bg-sindoor-wash/50',
      )}
    >
      <span className="figures font-semibold tracking-[0.01em]">{number}</span>
      <bdi className="truncate">{placeText(order)}</bdi>
      <span className="figures truncate text-clove">{[shipment?.courier, shipment?.trackingNumber].filter(Boolean).join(', ')}</span>
      <OutcomeLine outcome={outcome} deed={deed} />
      {onOpen && number && (
        <Button kind="outline" size="sm" aria-label={`Open order ${number}`} onClick={() => onOpen(number)}>
          Open order
        </Button>
      )}
    </li>
  );
});

const OutcomeLine = ({ outcome, deed }: { readonly outcome: Outcome; readonly deed: Deed }) => {
  const words = deedWords[deed];
  switch (outcome.state) {
    case 'waits':
      return <span className="text-clove">Waits</span>;
    case 'stopped':
      return <span className="text-clove">Not begun</span>;
    case 'busy':
      return (
        <span className="flex items-center gap-2">
          <LoaderCircle className="size-4 animate-spin text-oxblood" strokeWidth={2} />
          <span>{words.doing}…</span>
        </span>
      );
    case 'done':
      return (
        <span className="flex items-center gap-2 text-khus-deep">
          <Check className="size-4" strokeWidth={2} />
          <span>{words.done}</span>
        </span>
      );
    case 'failed':
      return (
        <span className="flex min-w-0 items-start gap-2 text-sindoor">
          <CircleAlert className="mt-0.5 size-4 shrink-0" strokeWidth={1.8} />
          <span className="min-w-0 wrap-anywhere">{outcome.why}</span>
        </span>
      );
  }
};
