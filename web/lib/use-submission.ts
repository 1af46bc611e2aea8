import { useState } from 'react';
import { fieldErrorsOf, messageOf, refusalOf, statusOf } from './http/api.ts';

/** The server said no, or nothing: `status` is then undefined. */
export type RefusedSubmission = {
  readonly state: 'refused';
  readonly message: string;
  readonly fieldErrors: Readonly<Record<string, string>>;
  readonly status: number | undefined;
  /** Why, as a code. */
  readonly code: string | undefined;
};
/** What becomes of a form of one call, whose values no other part of the shop needs to know; `done` with what the server said. */
type Submission = { readonly state: 'open' | 'sending' } | RefusedSubmission | { readonly state: 'done'; readonly message: string };

/** Sends the form's values and follows what becomes of them; `fallback` is said when the server gave no reason. */
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
