import { fieldErrorsOf, messageOf, refusalOf, httpStatusOf } from '../../lib/http/api.ts';

/** A failed call. */
export type Failure = {
  /** The server's message, else the error's own. */
  readonly message: string;
  /** Undefined when there was no response. */
  readonly status?: number | undefined;
  /** The server's reason, such as `offer_changed`. */
  readonly code?: string | undefined;
  /** Messages by field name or product id. */
  readonly errors: Readonly<Record<string, string>>;
};

export const failureOf = (error: unknown): Failure => {
  const { code } = refusalOf(error);
  return {
    message: messageOf(error),
    status: httpStatusOf(error),
    code: typeof code === 'string' ? code : undefined,
    errors: fieldErrorsOf(error),
  };
};

/** The shop has no payment gateway now. */
export const isPrepaidRefusal = ({ code }: Failure): boolean => code === 'prepaid_unavailable';

/** The screen had a cart that the server does not know: it belonged to a session that has ended. */
export const isLostSession = ({ status, code }: Failure): boolean => status === 401 || code === 'cart_empty' || code === 'cart_closed';

type Named = { readonly productId: string; readonly name: string };

/** Why it failed, per product or field: a shortage names its product. */
export const reasonsOf = ({ code, errors }: Failure, products: readonly Named[]): readonly string[] =>
  Object.entries(errors).map(([about, reason]) => {
    const name = code === 'not_enough_in_stock' ? products.find(({ productId }) => productId === about)?.name : undefined;
    return name === undefined ? reason : `${name}: ${reason}`;
  });
