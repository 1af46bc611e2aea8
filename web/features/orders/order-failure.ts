import { getFieldErrors, getMessage, getRefusal, getHttpStatus } from '../../lib/http/api.ts';

export type Failure = {
  readonly message: string;
  /** The status is undefined when there was no response. */
  readonly status?: number | undefined;
  /** The server's reason is a code such as `offer_changed`. */
  readonly code?: string | undefined;
  /** The errors are messages by field name or product id. */
  readonly errors: Readonly<Record<string, string>>;
  /** The shopper's other order, if it has taken the bottles of this one. */
  readonly other?: { readonly id: string; readonly number: string } | undefined;
};

export const toFailure = (error: unknown): Failure => {
  const { code, orderId: id, orderNumber: number } = getRefusal(error);
  return {
    message: getMessage(error),
    status: getHttpStatus(error),
    code: typeof code === 'string' ? code : undefined,
    errors: getFieldErrors(error),
    other: typeof id === 'string' && typeof number === 'string' ? { id, number } : undefined,
  };
};

/** Returns whether the shop has no payment gateway at the moment. */
export const isPrepaidRefusal = ({ code }: Failure): boolean => code === 'prepaid_unavailable';

/** Returns whether the page showed a cart that the server does not know, because the session has ended. */
export const isLostSession = ({ status, code }: Failure): boolean => status === 401 || code === 'cart_empty' || code === 'cart_closed';

type Named = { readonly productId: string; readonly name: string };

/** Returns why the call failed, per product or field. A shortage names its product. */
export const listReasons = ({ code, errors }: Failure, products: readonly Named[]): readonly string[] =>
  Object.entries(errors).map(([about, reason]) => {
    const name = code === 'not_enough_in_stock' ? products.find(({ productId }) => productId === about)?.name : undefined;
    return name === undefined ? reason : `${name}: ${reason}`;
  });
