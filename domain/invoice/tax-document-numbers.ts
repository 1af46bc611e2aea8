import type { Revision, StreamName } from '../event-store.ts';
import type { CalendarDate } from '../shared/time.ts';
import type { InvoiceNumber } from './events.ts';

export type TaxDocumentKind = 'invoices' | 'credit-notes';

/** India's financial year begins in April: `2026-2027` for 14 November 2026. */
export const financialYear = (date: CalendarDate): string => {
  const year = Number(date.slice(0, 4));
  const first = date.slice(5, 7) >= '04' ? year : year - 1;
  return `${first}-${first + 1}`;
};

/** One stream for each financial year. */
export const taxDocumentStream = (kind: TaxDocumentKind, date: CalendarDate): StreamName => `${kind}-${financialYear(date)}`;

/** Returns the streams of all financial years from one day to another, the oldest first. */
export const taxDocumentStreams = (kind: TaxDocumentKind, from: CalendarDate, to: CalendarDate): readonly StreamName[] => {
  const first = Number(financialYear(from).slice(0, 4));
  const count = Math.max(0, Number(financialYear(to).slice(0, 4)) - first) + 1;
  return Array.from({ length: count }, (_, index): StreamName => `${kind}-${first + index}-${first + index + 1}`);
};

const PREFIX: Readonly<Record<TaxDocumentKind, string>> = { invoices: 'RH', 'credit-notes': 'RC' };
const STREAM = /^(invoices|credit-notes)-\d\d(\d\d)-\d\d(\d\d)$/;

/** `RH/26-27/000001` for the first event of `invoices-2026-2027`. Throws on other streams. */
export const taxDocumentNumber = (stream: StreamName, revision: Revision): InvoiceNumber => {
  const [, kind, from, to] = STREAM.exec(stream) ?? [];
  if (kind !== 'invoices' && kind !== 'credit-notes') throw new Error(`No papers are in ${stream}`);
  return `${PREFIX[kind]}/${from}-${to}/${String(revision + 1).padStart(6, '0')}`;
};
