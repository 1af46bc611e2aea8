import { pages } from '#domain/site/pages.ts';
import { pathWith } from '../../lib/path-with.ts';

export const auditPath = pages.audit;

const withQuery = (query: Readonly<Record<string, string>>): string => pathWith(auditPath, query);

/** An order as it is now, or after the event with this revision. */
export const orderPath = (name: string, revision?: number): string =>
  withQuery({ order: name, ...(revision === undefined ? {} : { at: String(revision) }) });
export const searchPath = (q: string): string => withQuery({ q });

/** Filters of the log: a category, one stream, a starting position. */
export type LogPlace = { readonly category?: string; readonly stream?: string; readonly from?: string };
export const logPath = (place: LogPlace): string => withQuery({ ...place });

/** The events of the payment of an order. */
export const paymentPath = (orderId: string): string => logPath({ stream: `payment-${orderId}` });

/** A product's price history, and its price at this moment. */
export const pricePath = (product: string, moment: string): string => withQuery({ stream: `product-${product}`, when: moment });

/** A product's bottles after this revision. */
export const stockPath = (stream: string, revision: number): string => withQuery({ stream, at: String(revision) });

const STREAM = /^(credit-notes|[^-]*)-?(.*)$/;

/** `product` for `product-oud-royal`. */
export const categoryOf = (stream: string): string => STREAM.exec(stream)?.[1] ?? '';

/** `oud-royal` for `product-oud-royal`. */
export const idOf = (stream: string): string => STREAM.exec(stream)?.[2] ?? '';
