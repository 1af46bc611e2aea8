import type { SerializedError } from '@reduxjs/toolkit';
import { FileUp } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import { type CallError, getMessage } from '../../../lib/http/api.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Status } from '../../../ui/feedback/Status.tsx';
import { capitalised } from '../family-text.ts';
import type { SentCsv } from './send-csv.ts';

type Failure = CallError | SerializedError;

type CsvImportProps<Answer> = {
  readonly title: string;
  readonly help: string;
  readonly fileLabel: string;
  /** Sends the file; the promise never rejects. */
  readonly send: (sent: SentCsv) => PromiseLike<{ readonly data?: Answer | undefined; readonly error?: Failure | undefined }>;
  /** Returns the sentences that report the result for the file of this name. */
  readonly wordsOf: (name: string, answer: Answer) => { readonly checked: string; readonly booked: string };
  readonly isBookable: (answer: Answer) => boolean;
  readonly children: (name: string, answer: Answer) => ReactNode;
};

type Chosen = { readonly name: string; readonly file: ArrayBuffer };
type Outcome<Answer> = {
  readonly checked?: Answer | undefined;
  readonly booked?: Answer | undefined;
  readonly error?: Failure | undefined;
};

/** A file that is first checked and then booked. The booked bytes are the same that were checked. */
export const CsvImport = <Answer,>({ title, help, fileLabel, send, wordsOf, isBookable, children }: CsvImportProps<Answer>) => {
  const [chosen, setChosen] = useState<Chosen>();
  const [outcome, setOutcome] = useState<Outcome<Answer>>({});
  const [doing, setDoing] = useState<'checks' | 'books'>();
  const [share, setShare] = useState(0);
  const { checked, booked, error } = outcome;
  const answer = booked ?? checked;

  const attempt = async ({ file }: Chosen, what: 'checks' | 'books', before: Outcome<Answer>): Promise<void> => {
    setOutcome(before);
    setShare(0);
    setDoing(what);
    const { data, error: refusal } = await send({ file, dryRun: what === 'checks', onProgress: setShare });
    setOutcome({ ...before, [what === 'checks' ? 'checked' : 'booked']: data, error: refusal });
    setDoing(undefined);
  };
  const start = async (given: File): Promise<void> => {
    // The bytes are copied, because the browser refuses to send a file that was changed on disk after it was chosen.
    const next = { name: given.name, file: await given.arrayBuffer() };
    setChosen(next);
    await attempt(next, 'checks', {});
  };

  return (
    <section aria-label={title} className="mt-6 rounded-sm border border-sandal bg-white p-5 sm:p-6">
      <h3 className="display text-h3">{title}</h3>
      <p className="mt-2 max-w-2xl text-[0.9375rem] text-clove">{help} It is checked first; nothing is booked before you say so.</p>
      <FileChooser label={fileLabel} isBusy={doing !== undefined} onChosen={(file) => void start(file)} />
      {doing && <OnItsWay share={share} doing={doing} />}
      {error && !doing && <Refused error={error} />}
      {chosen && answer && (
        <div key={booked ? 'booked' : 'checked'} className="mt-6">
          {booked ? (
            <Alert kind="success">{wordsOf(chosen.name, booked).booked}</Alert>
          ) : (
            <div className="flex flex-wrap items-center justify-between gap-4">
              <p className="font-medium wrap-anywhere">{wordsOf(chosen.name, answer).checked}</p>
              <Button
                disabled={!isBookable(answer)}
                busy={doing === 'books' ? 'Booking...' : undefined}
                onClick={() => void attempt(chosen, 'books', { checked })}
                className="max-sm:w-full"
              >
                Book it
              </Button>
            </div>
          )}
          {children(chosen.name, answer)}
        </div>
      )}
    </section>
  );
};

type FileChooserProps = { readonly label: string; readonly isBusy: boolean; readonly onChosen: (file: File) => void };

/** An invisible input covers the whole box, so that a click anywhere opens the chooser and files can be dropped on it. */
const FileChooser = ({ label, isBusy, onChosen }: FileChooserProps) => {
  const chosen = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const file = target.files?.[0];
    // Clearing the input allows choosing the same file again after a refusal.
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
        aria-label={label}
        disabled={isBusy}
        onChange={chosen}
        className="absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
      />
    </div>
  );
};

const Refused = ({ error }: { readonly error: Failure }) => {
  const cells = 'errors' in error ? Object.entries(error.errors ?? {}) : [];
  return (
    <Alert className="mt-5">
      {getMessage(error)}
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
