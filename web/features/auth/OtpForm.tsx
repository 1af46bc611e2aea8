import { type SubmitEventHandler, useEffect, useId, useRef, useState } from 'react';
import { getMessage } from '../../lib/http/api.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { authApi, type CodeRequired } from './auth-api.ts';
import { CodeInput, CODE_LENGTH } from './CodeInput.tsx';
import { useVerification, type Unverified } from './use-sign-in.ts';

const { useResendCodeMutation } = authApi;

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

type OtpFormProps = Unverified & {
  readonly onChangeEmail: () => void;
  readonly onCodeRequired: (required: CodeRequired) => void;
};

/** The 'Verify Your OTP' step. Errors are shown in the page and leave the digits as they are. */
export const OtpForm = ({ userId, email, isMailed, onChangeEmail, onCodeRequired }: OtpFormProps) => {
  const purpose = useId();
  const verify = useVerification(userId);
  const { field, submit, isSending } = useValidatedForm<{ otp: string }>({
    validate: ({ otp }) => (otp.length < CODE_LENGTH ? { otp: 'Please enter the full 6-digit OTP.' } : {}),
    send: async ({ otp }) => {
      const required = await verify(otp);
      if (required) onCodeRequired(required);
    },
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
