import { type SubmitEventHandler, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { cx } from '../../ui/cx.ts';

const LENGTH = 6;
/** The server sends at most one code a minute. */
const PAUSE_SECONDS = 60;

type OtpFormProps = {
  readonly email: string;
  readonly codesSent: number;
  readonly loading: boolean;
  readonly error: string | null;
  readonly onVerify: (otp: string) => void;
  readonly onResend: () => void;
  readonly onChangeEmail: () => void;
};

/** 'Verify Your OTP'. Errors are shown in the page and leave the digits as they are. */
export const OtpForm = ({ email, codesSent, loading, error, onVerify, onResend, onChangeEmail }: OtpFormProps) => {
  const [otp, setOtp] = useState('');
  const [asked, setAsked] = useState<'code' | 'verdict'>();
  const [incomplete, setIncomplete] = useState(false);
  const purpose = useId();
  const problem = incomplete ? 'Please enter the full 6-digit OTP.' : error;
  const submit: SubmitEventHandler = (event) => {
    event.preventDefault();
    setIncomplete(otp.length < LENGTH);
    if (otp.length < LENGTH) return;
    setAsked('verdict');
    onVerify(otp);
  };
  const resend = (): void => {
    setIncomplete(false);
    setAsked('code');
    onResend();
  };
  return (
    <>
      <h1 className="display text-h1">Verify Your OTP</h1>
      <p id={purpose} className="mt-3 text-lead text-clove">
        Please enter the 6-digit code sent to your email
      </p>
      <p className="mt-1 font-medium wrap-anywhere">{email}</p>
      <form noValidate onSubmit={submit} className="mt-9">
        <CodeInput value={otp} onChange={setOtp} purpose={purpose} invalid={problem !== null} />
        {problem !== null && <Alert className="mt-5">{problem}</Alert>}
        {asked === 'code' && !loading && problem === null && (
          <Alert kind="success" className="mt-5">
            We have sent a new code to your email
          </Alert>
        )}
        <Button
          type="submit"
          size="lg"
          disabled={loading}
          busy={loading && asked === 'verdict' ? 'Verifying...' : undefined}
          className="mt-6 w-full"
        >
          Verify OTP
        </Button>
      </form>
      <div className="mt-6 flex flex-wrap items-center justify-between gap-x-4 text-[0.9375rem]">
        <Resend key={codesSent} pause={codesSent > 0 ? PAUSE_SECONDS : 0} disabled={loading} onResend={resend} />
        <TextButton onClick={onChangeEmail}>Change e-mail</TextButton>
      </div>
    </>
  );
};

type CodeInputProps = {
  readonly value: string;
  readonly onChange: (digits: string) => void;
  /** The id of the element that describes the input. */
  readonly purpose: string;
  readonly invalid: boolean;
};

/** One real input under six drawn cells, so that paste and one-time-code autofill work. Of '12 34 56' only the digits count. */
const CodeInput = ({ value, onChange, purpose, invalid }: CodeInputProps) => {
  const input = useRef<HTMLInputElement>(null);
  // It replaces the form that had the focus, and whose end the page was scrolled to.
  useLayoutEffect(() => {
    scrollTo({ top: 0, behavior: 'instant' });
    input.current?.focus();
  }, []);
  useEffect(() => {
    if (invalid) input.current?.focus();
  }, [invalid]);
  return (
    <div className="group relative">
      <div className="grid grid-cols-6 gap-2 sm:gap-3" aria-hidden="true">
        {Array.from({ length: LENGTH }, (_, place) => (
          <Cell key={place} digit={value[place]} active={place === Math.min(value.length, LENGTH - 1)} />
        ))}
      </div>
      <input
        ref={input}
        name="otp"
        aria-label="Six-digit code"
        aria-describedby={purpose}
        aria-invalid={invalid || undefined}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        value={value}
        onChange={({ target }) => onChange(target.value.replaceAll(/\D/g, '').slice(0, LENGTH))}
        className="absolute inset-0 size-full cursor-text opacity-0"
      />
    </div>
  );
};

const Cell = ({ digit, active }: { readonly digit: string | undefined; readonly active: boolean }) => (
  <span
    className={cx(
      'figures inline-flex aspect-[5/6] items-center justify-center rounded-xs border bg-white text-[1.75rem]',
      digit === undefined ? 'border-teak' : 'border-ink',
      active && 'group-focus-within:border-oxblood group-focus-within:shadow-[inset_0_0_0_1px_var(--color-oxblood)]',
    )}
  >
    {digit ?? (active && <span className="hidden h-8 w-px bg-ink group-focus-within:block" />)}
  </span>
);

type ResendProps = { readonly pause: number; readonly disabled: boolean; readonly onResend: () => void };

const Resend = ({ pause, disabled, onResend }: ResendProps) => {
  const left = useCountdown(pause);
  if (left === 0)
    return (
      <TextButton disabled={disabled} onClick={onResend}>
        Send a new code
      </TextButton>
    );
  return (
    <button type="button" disabled className="inline-flex min-h-11 items-center text-clove">
      Send a new code in
      <span className="figures ml-1">{`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`}</span>
    </button>
  );
};

/** Seconds left of `seconds` since the first render. Computed from the clock, because timers are throttled in background tabs. */
const useCountdown = (seconds: number): number => {
  const [end] = useState(() => Date.now() + seconds * 1_000);
  const [left, setLeft] = useState(seconds);
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return undefined;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1_000))), 1_000);
    return () => clearInterval(timer);
  }, [end, isOver]);
  return left;
};
