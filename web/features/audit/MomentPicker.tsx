import { useId, useState, type ReactNode, type SubmitEventHandler } from 'react';
import { Button } from '../../ui/Button.tsx';
import { momentInIndia } from './india-time.ts';

type MomentPickerProps = {
  readonly label: string;
  /** The initial value in the format of `clockInIndia`. A new value resets the picker. */
  readonly clock: string;
  /** Returns an error message, or '' when the moment is valid. */
  readonly onPick: (moment: string) => string;
  readonly children?: ReactNode;
};

/** A date and time picker in Indian time. */
export const MomentPicker = (props: MomentPickerProps) => <Picker key={props.clock} {...props} />;

const Picker = ({ label, clock, onPick, children }: MomentPickerProps) => {
  const id = useId();
  const [picked, setPicked] = useState(clock);
  const [trouble, setTrouble] = useState('');
  const go: SubmitEventHandler = (event) => {
    event.preventDefault();
    const moment = momentInIndia(picked);
    setTrouble(moment === undefined ? 'Pick a day and a time' : onPick(moment));
  };
  return (
    <form noValidate onSubmit={go} className="flex flex-wrap items-end gap-3">
      {children}
      <div>
        <label htmlFor={id} className="mb-1.5 block text-[0.875rem] text-clove">
          {label}
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
