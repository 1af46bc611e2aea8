import { pages } from '#domain/pages.ts';

export const auditPath = pages.audit;

const withQuery = (query: Readonly<Record<string, string>>): string => `${auditPath}?${new URLSearchParams(query).toString()}`;

/** An order, as it is now or was after its event with this revision. */
export const orderPath = (name: string, revision?: number): string =>
  withQuery({ order: name, ...(revision === undefined ? {} : { at: String(revision) }) });
export const searchPath = (q: string): string => withQuery({ q });

/** Which part of the log: of a category, of one stream, from a position on. */
export type LogPlace = { readonly category?: string; readonly stream?: string; readonly from?: string };
export const logPath = (place: LogPlace): string => withQuery({ ...place });

/** What a perfume has cost, and what at this moment. */
export const pricePath = (product: string, moment: string): string => withQuery({ stream: `product-${product}`, when: moment });
