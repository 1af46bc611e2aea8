import { fieldErrorsOf, messageOf, refusalOf, statusOf } from '../../lib/http/api.ts';

/** A call that came to nothing. */
export type Failure = {
  /** The server's sentence, else the generic text of the error (specification, section 8). */
  readonly message: string;
  /** Undefined when no answer came at all. */
  readonly status?: number | undefined;
  /** Why, as the server names it: `offer_changed`. */
  readonly code?: string | undefined;
  /** A sentence for each field of the form, or for each perfume by its id. */
  readonly errors: Readonly<Record<string, string>>;
};

export const failureOf = (error: unknown): Failure => {
  const { code } = refusalOf(error);
  return {
    message: messageOf(error),
    status: statusOf(error),
    code: typeof code === 'string' ? code : undefined,
    errors: fieldErrorsOf(error),
  };
};

/** A cart that was full on the screen, and which the server does not know, belonged to a session that has ended. */
export const isLostSession = ({ status, code }: Failure): boolean => status === 401 || code === 'cart_empty' || code === 'cart_closed';
