import { ChevronLeft, ChevronRight } from 'lucide-react';
import { cx } from '../../../ui/cx.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { AuditEvent } from '../audit-types.ts';
import { momentOrUnknown, labelFor } from '../audit-labels.ts';

type ScrubberProps = { readonly events: readonly AuditEvent[]; readonly stop: number; readonly onStop: (stop: number) => void };

/** More labels than this would overlap. */
const MOST_LABELS = 6;
const MOST_DOTS = 40;

const place = (index: number, events: readonly AuditEvent[]): string => `${events.length > 1 ? (100 * index) / (events.length - 1) : 50}%`;

const dotLook = (index: number, stop: number): string =>
  index === stop
    ? 'size-7 border-[3px] border-oxblood bg-white shadow-menu outline-offset-3 outline-oxblood group-has-[:focus-visible]:outline-2'
    : index < stop
      ? 'size-3 bg-oxblood'
      : 'size-3 border-2 border-teak bg-white';

const Line = ({ events, stop }: Omit<ScrubberProps, 'onStop'>) => (
  <div aria-hidden="true">
    <div className="absolute inset-x-0 top-1/2 h-[2px] -translate-y-1/2 bg-sandal" />
    <div className="absolute top-1/2 left-0 h-[2px] -translate-y-1/2 bg-oxblood" style={{ width: place(stop, events) }} />
    {events.map(({ revision }, index) => {
      const isDrawn = events.length <= MOST_DOTS || index === stop;
      return (
        isDrawn && (
          <span
            key={revision}
            className={cx('absolute top-1/2 -translate-x-1/2 -translate-y-1/2 rounded-full', dotLook(index, stop))}
            style={{ left: place(index, events) }}
          />
        )
      );
    })}
  </div>
);

const Labels = ({ events, stop }: Omit<ScrubberProps, 'onStop'>) => (
  <div aria-hidden="true" className="relative mx-3 hidden h-10 sm:mx-14 sm:block">
    {events.map(({ revision, type, recordedAt }, index) => (
      <span
        key={revision}
        className={cx(
          'absolute -translate-x-1/2 text-center text-[0.8125rem] leading-tight whitespace-nowrap',
          index === stop ? 'font-medium' : 'text-clove',
        )}
        style={{ left: place(index, events) }}
      >
        {labelFor(type).text}
        <br />
        <span className="figures text-xs font-normal">{momentOrUnknown(recordedAt)}</span>
      </span>
    ))}
  </div>
);

/** The order's history as a native range input with one step per event, so that arrow keys and screen readers work. */
export const Scrubber = ({ events, stop, onStop }: ScrubberProps) => {
  const event = events[stop];
  const word = labelFor(event?.type ?? '').text;
  const moment = momentOrUnknown(event?.recordedAt ?? null);
  const hasLabels = events.length <= MOST_LABELS;
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <p className="text-[0.9375rem]">
          <span className="text-clove">The order as it was after</span>{' '}
          <span className="font-medium">
            event {stop + 1} of {events.length}
          </span>
        </p>
        <div className="flex gap-1">
          <IconButton icon={ChevronLeft} label="Earlier event" disabled={stop === 0} onClick={() => onStop(stop - 1)} />
          <IconButton icon={ChevronRight} label="Later event" disabled={stop === events.length - 1} onClick={() => onStop(stop + 1)} />
        </div>
      </div>
      <div className="group relative mx-3 mt-4 h-11 sm:mx-14">
        <Line events={events} stop={stop} />
        <input
          type="range"
          min={0}
          max={events.length - 1}
          step={1}
          value={stop}
          aria-label="Point in time"
          aria-valuetext={`After event ${stop + 1} of ${events.length}: ${word}, ${moment}`}
          onChange={({ target }) => onStop(Number(target.value))}
          className="absolute inset-0 h-full w-full cursor-pointer opacity-0"
        />
      </div>
      {hasLabels && <Labels events={events} stop={stop} />}
      <p className={cx('figures text-center text-[0.875rem]', hasLabels && 'sm:hidden')}>
        <span className="font-medium">{word}</span> <span className="text-clove">{moment}</span>
      </p>
    </>
  );
};
