import { useState } from 'react';
import { fieldErrorsOf, messageOf, refusalOf, statusOf } from './http/api.ts';

/** The server refused, or there was no response (`status` is then undefined). */
export type RefusedSubmission = {
  readonly state: 'refused';
  readonly message: string;
  readonly fieldErrors: Readonly<Record<string, string>>;
  readonly status: number | undefined;
  /** The reason, as a code. */
  readonly code: string | undefined;
};
/** State of a form with a single call; `message` is the server's. */
type Submission = { readonly state: 'open' | 'sending' } | RefusedSubmission | { readonly state: 'done'; readonly message: string };

/** Sends a form's values. `fallback` is the message for failures without one. */
export const useSubmission = <Values>(send: (values: Values) => Promise<string>, fallback: string) => {
  const [submission, setSubmission] = useState<Submission>({ state: 'open' });
  const submit = async (values: Values): Promise<void> => {
    setSubmission({ state: 'sending' });
    try {
      setSubmission({ state: 'done', message: await send(values) });
    } catch (error) {
      const { code } = refusalOf(error);
      setSubmission({
        state: 'refused',
        message: messageOf(error, fallback),
        fieldErrors: fieldErrorsOf(error),
        status: statusOf(error),
        code: typeof code === 'string' ? code : undefined,
      });
    }
  };
  return { submission, submit };
};
