import { pages } from '#domain/site/pages.ts';
import { pathWith } from '../../lib/path-with.ts';

export const auditPath = pages.audit;

const withQuery = (query: Readonly<Record<string, string>>): string => pathWith(auditPath, query);

/** Returns the page of an order as it is now, or as it was after the event with this revision. */
export const orderPath = (name: string, revision?: number): string =>
  withQuery({ order: name, ...(revision === undefined ? {} : { at: String(revision) }) });
export const searchPath = (q: string): string => withQuery({ q });

export type LogPlace = { readonly category?: string; readonly stream?: string; readonly from?: string };
export const logPath = (place: LogPlace): string => withQuery({ ...place });

export const paymentPath = (orderId: string): string => logPath({ stream: `payment-${orderId}` });

export const pricePath = (product: string, moment: string): string => withQuery({ stream: `product-${product}`, when: moment });

export const stockPath = (stream: string, revision: number): string => withQuery({ stream, at: String(revision) });

const STREAM = /^(credit-notes|[^-]*)-?(.*)$/;

/** Returns `product` for `product-oud-royal`. */
export const parseStreamCategory = (stream: string): string => STREAM.exec(stream)?.[1] ?? '';

/** Returns `oud-royal` for `product-oud-royal`. */
export const parseStreamId = (stream: string): string => STREAM.exec(stream)?.[2] ?? '';
