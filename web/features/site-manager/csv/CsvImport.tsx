import type { SerializedError } from '@reduxjs/toolkit';
import { FileUp } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import { type CallError, getMessage } from '../../../lib/http/api.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { FocusedMessage } from '../../../ui/feedback/FocusedMessage.tsx';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import { Status } from '../../../ui/feedback/Status.tsx';
import { capitalised } from '../family-text.ts';
import { InSteps } from '../InSteps.tsx';
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
  /** Names the deed of the button that books. */
  readonly deed: (answer: Answer) => string;
  /** Returns the name of what the first cell of a line identifies. */
  readonly nameOf?: (cell: string) => string | undefined;
  readonly onClose: () => void;
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
export const CsvImport = <Answer,>(props: CsvImportProps<Answer>) => {
  const { title, help, fileLabel, send, wordsOf, deed, nameOf, onClose, isBookable, children } = props;
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
    <Modal
      open
      isWide
      isBusy={doing === 'books'}
      title={title}
      description={<p>{help} It is checked first; nothing is booked before you say so.</p>}
      onClose={onClose}
      foot={
        <>
          <Button kind="quiet" disabled={doing === 'books'} onClick={onClose}>
            {checked && !booked && isBookable(checked) ? 'Leave unbooked' : 'Close'}
          </Button>
          {chosen && checked && !booked && (
            <Button
              disabled={!isBookable(checked)}
              busy={doing === 'books' ? 'Booking...' : undefined}
              onClick={() => void attempt(chosen, 'books', { checked })}
            >
              {deed(checked)}
            </Button>
          )}
        </>
      }
    >
      <FileChooser label={fileLabel} isBusy={doing !== undefined} onChosen={(file) => void start(file)} />
      {doing && <OnItsWay share={share} doing={doing} />}
      {chosen && error && !doing && <Refused error={error} file={chosen.file} nameOf={nameOf} />}
      {chosen && answer && (
        <div key={booked ? 'booked' : 'checked'} className="mt-6">
          {booked ? (
            <FocusedMessage className="">{wordsOf(chosen.name, booked).booked}</FocusedMessage>
          ) : (
            <p className="font-medium wrap-anywhere">{wordsOf(chosen.name, answer).checked}</p>
          )}
          {children(chosen.name, answer)}
        </div>
      )}
    </Modal>
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

/** Returns the first cell of each line of the file, as far as it can be read without its rules for quotes. */
const firstCells = (file: ArrayBuffer): readonly string[] =>
  new TextDecoder()
    .decode(file)
    .split(/\r\n|\r|\n/)
    .map((line) => line.split(',')[0]?.replaceAll('"', '').trim() ?? '');

type RefusedProps = {
  readonly error: Failure;
  readonly file: ArrayBuffer;
  readonly nameOf: CsvImportProps<unknown>['nameOf'] | undefined;
};

/** Lists what is wrong in each line, with the name of what the line is about. */
const Refused = ({ error, file, nameOf }: RefusedProps) => {
  const faults = 'errors' in error ? Object.entries(error.errors ?? {}) : [];
  const cells = firstCells(file);
  const nameIn = (place: string): string => {
    const cell = cells[Number(/^line (\d+)/.exec(place)?.[1]) - 1] ?? '';
    return [nameOf?.(cell), cell].filter(Boolean).join(', ');
  };
  return (
    <div className="mt-5">
      <Alert>{getMessage(error)}</Alert>
      {faults.length > 0 && (
        <InSteps rows={faults} more="Show more lines">
          {(shown) => (
            <ul aria-label="Wrong lines" className="mt-4 border-t border-ink/80 text-[0.9375rem]">
              {shown.map(([place, problem]) => (
                <li key={place} className="flex flex-wrap gap-x-4 border-b border-sandal/70 py-2 wrap-anywhere">
                  <span className="figures font-medium">{capitalised(place)}</span>
                  <span className="text-clove">{nameIn(place)}</span>
                  <span className="text-sindoor">{problem}</span>
                </li>
              ))}
            </ul>
          )}
        </InSteps>
      )}
    </div>
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
