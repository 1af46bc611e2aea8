import type { AuditEvent } from '../audit-api.ts';
import { clockInIndia } from '../india-time.ts';
import { MomentPicker } from '../MomentPicker.tsx';
import { stopAtMoment } from './stops.ts';

type TimePickerProps = {
  readonly events: readonly AuditEvent[];
  /** Whether there are events behind these that are not shown. */
  readonly hasMore: boolean;
  readonly stop: number;
  readonly onStop: (stop: number) => void;
};

/** The order as it stood at a time by the clock in India. Moving elsewhere in time sets the clock to that event. */
export const TimePicker = ({ events, hasMore, stop, onStop }: TimePickerProps) => {
  const shown = events[stop]?.recordedAt ?? null;
  const pick = (moment: string): string => {
    const found = stopAtMoment(events, moment);
    if (found === -1)
      return events[0]?.revision === 0 ? 'At that time this order was not there yet' : 'That is before the events shown here';
    if (hasMore && found === events.length - 1) return 'That is after the events shown here';
    onStop(found);
    return '';
  };
  return (
    <div className="mt-6 border-t border-sandal pt-5">
      <MomentPicker label="As it stood on (time in India)" clock={shown === null ? '' : clockInIndia(shown)} onPick={pick} />
    </div>
  );
};
