import { useId, useState, type SubmitEventHandler } from 'react';
import { Button } from '../../../ui/Button.tsx';
import type { AuditEvent } from '../audit-api.ts';
import { clockInIndia, momentInIndia, stopAtMoment } from './stops.ts';

type TimePickerProps = { readonly events: readonly AuditEvent[]; readonly stop: number; readonly onStop: (stop: number) => void };

/** The order as it stood at a time by the clock in India. Moving elsewhere in time sets the clock to that event. */
export const TimePicker = ({ events, stop, onStop }: TimePickerProps) => {
  const moment = events[stop]?.recordedAt ?? null;
  return <Picker key={stop} events={events} clock={moment === null ? '' : clockInIndia(moment)} onStop={onStop} />;
};

type PickerProps = Pick<TimePickerProps, 'events' | 'onStop'> & { readonly clock: string };

const Picker = ({ events, clock, onStop }: PickerProps) => {
  const id = useId();
  const [picked, setPicked] = useState(clock);
  const [trouble, setTrouble] = useState('');
  const go: SubmitEventHandler = (event) => {
    event.preventDefault();
    const moment = momentInIndia(picked);
    const stop = moment === undefined ? -1 : stopAtMoment(events, moment);
    setTrouble(moment === undefined ? 'Pick a day and a time' : stop === -1 ? 'At that time this order was not there yet' : '');
    if (stop !== -1) onStop(stop);
  };
  return (
    <form noValidate onSubmit={go} className="mt-6 flex flex-wrap items-end gap-3 border-t border-sandal pt-5">
      <div>
        <label htmlFor={id} className="mb-1.5 block text-[0.875rem] text-clove">
          As it stood on (time in India)
        </label>
        <input
          id={id}
          type="datetime-local"
          step={1}
          value={picked}
          onChange={({ target }) => setPicked(target.value)}
          aria-describedby={trouble ? `${id}-note` : undefined}
          aria-invalid={trouble !== '' || undefined}
          className="figures h-11 rounded-xs border border-teak bg-white px-3 text-[0.9375rem] hover:border-ink"
        />
      </div>
      <Button type="submit" kind="outline">
        Show
      </Button>
      <p id={`${id}-note`} role="status" className="min-h-6 w-full text-[0.875rem] font-medium text-sindoor empty:hidden">
        {trouble}
      </p>
    </form>
  );
};
