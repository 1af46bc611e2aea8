import type { SerializedError } from '@reduxjs/toolkit';
import { FileUp } from 'lucide-react';
import { type ChangeEvent, useState } from 'react';
import { type CallError, messageOf } from '../../../lib/http/api.ts';
import { count } from '../../../lib/numbers.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Status } from '../../../ui/Status.tsx';
import type { Remittance } from '../admin-types.ts';
import { capitalised } from '../family-text.ts';
import { useSendRemittanceMutation } from './money-api.ts';
import { RemittanceResult } from './RemittanceResult.tsx';

type Chosen = { readonly name: string; readonly file: ArrayBuffer };

/** A file of what a courier has collected: first checked, then booked. The bytes that were checked are those that are booked. */
export const RemittanceImport = () => {
  const [chosen, setChosen] = useState<Chosen>();
  const [share, setShare] = useState(0);
  const [check, checking] = useSendRemittanceMutation();
  const [book, booking] = useSendRemittanceMutation();
  const isBusy = checking.isLoading || booking.isLoading;
  const error = booking.error ?? checking.error;

  const start = async (given: File): Promise<void> => {
    booking.reset();
    // A copy: the browser refuses to send a file that was changed on disk since it was chosen.
    const file = await given.arrayBuffer();
    setChosen({ name: given.name, file });
    setShare(0);
    await check({ file, dryRun: true, onProgress: setShare });
  };
  const bookIt = async ({ file }: Chosen): Promise<void> => {
    setShare(0);
    await book({ file, dryRun: false, onProgress: setShare });
  };

  return (
    <section aria-label="Remittance of a courier" className="mt-6 rounded-sm border border-sandal bg-white p-5 sm:p-6">
      <h3 className="display text-h3">Remittance of a courier</h3>
      <p className="mt-2 max-w-2xl text-[0.9375rem] text-clove">
        A CSV file with the columns order_number, amount, collected_on and reference. It is checked first; nothing is booked before you say
        so.
      </p>
      <FileChooser isBusy={isBusy} onChosen={(file) => void start(file)} />
      {isBusy && <OnItsWay share={share} doing={booking.isLoading ? 'books' : 'checks'} />}
      {error && !isBusy && <Refused error={error} />}
      {chosen && checking.data && !checking.isLoading && (
        <Answered
          key={booking.data ? 'booked' : 'checked'}
          name={chosen.name}
          checked={checking.data}
          booked={booking.data}
          isBooking={booking.isLoading}
          onBook={() => void bookIt(chosen)}
        />
      )}
    </section>
  );
};

type FileChooserProps = { readonly isBusy: boolean; readonly onChosen: (file: File) => void };

/** The input lies over the whole box, unseen: a click anywhere in it chooses, and the browser lets files be dropped on it. */
const FileChooser = ({ isBusy, onChosen }: FileChooserProps) => {
  const chosen = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const file = target.files?.[0];
    // Lets the same file be chosen again after a refusal.
    target.value = '';
    if (file) onChosen(file);
  };
  return (
    <div
      className={cx(
        'relative mt-4 flex min-h-20 items-center justify-center gap-3 rounded-xs border border-dashed border-teak p-4 text-[0.9375rem] font-medium',
        'focus-within:outline-2 focus-within:outline-offset-3 focus-within:outline-oxblood',
        isBusy ? 'text-clove' : 'hover:border-ink hover:bg-ink/4',
      )}
    >
      <FileUp aria-hidden="true" className="size-5" strokeWidth={1.5} />
      <span aria-hidden="true">Choose a file, or drop it here</span>
      <input
        type="file"
        accept=".csv,text/csv"
        aria-label="Remittance file"
        disabled={isBusy}
        onChange={chosen}
        className="absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
      />
    </div>
  );
};

type RefusedProps = { readonly error: CallError | SerializedError };

/** The server's sentence, and each wrong cell by its line. */
const Refused = ({ error }: RefusedProps) => {
  const cells = 'errors' in error ? Object.entries(error.errors ?? {}) : [];
  return (
    <Alert className="mt-5">
      {messageOf(error)}
      {cells.length > 1 && (
        <ul className="mt-2 list-disc pl-5 font-normal">
          {cells.map(([place, problem]) => (
            <li key={place}>{`${capitalised(place)}: ${problem}`}</li>
          ))}
        </ul>
      )}
    </Alert>
  );
};

/** How much of the file was sent; then the server works, for an unknown time. */
const OnItsWay = ({ share, doing }: { readonly share: number; readonly doing: 'checks' | 'books' }) => {
  const isSent = share >= 1;
  const percent = Math.round(share * 100);
  return (
    <div className="mt-5">
      <div
        role="progressbar"
        aria-label={isSent ? `The shop ${doing} the file` : 'Sent'}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={isSent ? undefined : percent}
        className={cx('h-1', isSent ? 'skeleton' : 'bg-sandal')}
      >
        {!isSent && <div className="h-full bg-gold" style={{ width: `${percent}%` }} />}
      </div>
      <Status className="mt-2 text-[0.875rem] text-clove">{isSent ? `The shop ${doing} the file...` : 'The file is being sent...'}</Status>
    </div>
  );
};

type AnsweredProps = {
  readonly name: string;
  readonly checked: Remittance;
  readonly booked: Remittance | undefined;
  readonly isBooking: boolean;
  readonly onBook: () => void;
};

const Answered = ({ name, checked, booked, isBooking, onBook }: AnsweredProps) => {
  const remittance = booked ?? checked;
  const bookable = remittance.matched + remittance.short + remittance.over;
  return (
    <div className="mt-6">
      {booked ? (
        <Alert kind="success">
          {name} is booked: {count(bookable, 'payment')}.
        </Alert>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="font-medium wrap-anywhere">
            {bookable === 0 ? `Nothing in ${name} can be booked.` : `${name} would book ${count(bookable, 'payment')}.`}
          </p>
          <Button disabled={bookable === 0} busy={isBooking ? 'Booking...' : undefined} onClick={onBook} className="max-sm:w-full">
            Book it
          </Button>
        </div>
      )}
      <RemittanceResult name={name} remittance={remittance} />
    </div>
  );
};
