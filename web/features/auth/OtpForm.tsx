import { type SubmitEventHandler, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { latinDigits } from '#domain/shared/text.ts';
import { getMessage } from '../../lib/http/api.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { cx } from '../../ui/cx.ts';
import { useValidatedForm, type FormField } from '../../ui/form/use-validated-form.ts';
import { authApi } from './auth-api.ts';
import { useVerification, type Unverified } from './use-sign-in.ts';

const { useResendCodeMutation } = authApi;

const LENGTH = 6;
/** The server sends at most one code a minute. */
const PAUSE_SECONDS = 60;

/** Sends new codes, and counts the codes mailed while this step is shown. */
const useCodes = (userId: string, alreadyMailed: number) => {
  const [mailed, setMailed] = useState(alreadyMailed);
  const [resend, { error, isLoading, isSuccess }] = useResendCodeMutation();
  const send = async (): Promise<void> => {
    if (!(await resend(userId)).error) setMailed((count) => count + 1);
  };
  return { mailed, send, isLoading, isSuccess, problem: error && getMessage(error) };
};

type OtpFormProps = Unverified & { readonly onChangeEmail: () => void };

/** The 'Verify Your OTP' step. Errors are shown in the page and leave the digits as they are. */
export const OtpForm = ({ userId, email, isMailed, onChangeEmail }: OtpFormProps) => {
  const purpose = useId();
  const verify = useVerification(userId);
  const { field, submit, isSending } = useValidatedForm<{ otp: string }>({
    validate: ({ otp }) => (otp.length < LENGTH ? { otp: 'Please enter the full 6-digit OTP.' } : {}),
    send: ({ otp }) => verify(otp),
    blamed: ({ message }) => ({ otp: message }),
  });
  const codes = useCodes(userId, isMailed ? 1 : 0);
  const [last, setLast] = useState<'code' | 'verdict'>('verdict');
  const onSubmit: SubmitEventHandler = (event) => {
    setLast('verdict');
    submit(event);
  };
  const form = useRef<HTMLFormElement>(null);
  const resend = (): void => {
    setLast('code');
    // The button that has the focus disappears.
    form.current?.querySelector('input')?.focus();
    void codes.send();
  };
  const { error, ...input } = field('otp');
  const problem = last === 'code' ? codes.problem : error;
  const loading = isSending || codes.isLoading;
  return (
    <>
      <h1 className="display text-h1">Verify Your OTP</h1>
      <p id={purpose} className="mt-3 text-lead text-clove">
        Please enter the 6-digit code sent to your email
      </p>
      <p className="mt-1 font-medium wrap-anywhere">{email}</p>
      <form ref={form} noValidate onSubmit={onSubmit} className="mt-9">
        <CodeInput {...input} error={problem} purpose={purpose} />
        {problem !== undefined && <Alert className="mt-5">{problem}</Alert>}
        {last === 'code' && codes.isSuccess && (
          <Alert kind="success" className="mt-5">
            We have sent a new code to your email
          </Alert>
        )}
        <Button type="submit" size="lg" disabled={loading} busy={isSending ? 'Verifying...' : undefined} className="mt-6 w-full">
          Verify OTP
        </Button>
      </form>
      <div className="mt-6 flex flex-wrap items-center justify-between gap-x-4 text-[0.9375rem]">
        <Resend key={codes.mailed} pause={codes.mailed > 0 ? PAUSE_SECONDS : 0} disabled={loading} onResend={resend} />
        <TextButton onClick={onChangeEmail}>Change e-mail</TextButton>
      </div>
    </>
  );
};

type CodeInputProps = FormField & { readonly purpose: string };

/** One input under six drawn cells, so that paste and one-time-code autofill work. Blanks are dropped from '12 34 56'. */
const CodeInput = ({ ref, onChange, error, purpose, ...input }: CodeInputProps) => {
  const [digits, setDigits] = useState('');
  const place = useRef<HTMLDivElement>(null);
  // The page is still scrolled to the end of the form that this step replaces.
  useLayoutEffect(() => {
    scrollTo({ top: 0, behavior: 'instant' });
    place.current?.querySelector('input')?.focus();
  }, []);
  return (
    <div ref={place} className="group relative">
      <div className="grid grid-cols-6 gap-2 sm:gap-3" aria-hidden="true">
        {Array.from({ length: LENGTH }, (_, at) => (
          <Cell key={at} digit={digits[at]} active={at === Math.min(digits.length, LENGTH - 1)} />
        ))}
      </div>
      <input
        {...input}
        ref={ref}
        aria-label="Six-digit code"
        aria-describedby={purpose}
        aria-invalid={error !== undefined || undefined}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        onChange={(event) => {
          const { target } = event;
          target.value = latinDigits(target.value).replaceAll(/\D/g, '').slice(0, LENGTH);
          setDigits(target.value);
          void onChange(event);
        }}
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

/** Returns the seconds left of `seconds` since the first render. It reads the clock, because background tabs throttle timers. */
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
