import type { CommandMetadata, Recorded, StreamName } from '#domain/event-store.ts';
import type { CreditNoteEvent, InvoiceEvent, Seller } from '#domain/invoice/events.ts';
import { creditNotes, invoices, type IssueCreditNote, type IssueInvoice } from '#domain/invoice/invoice.ts';
import { taxDocumentNumber, taxDocumentStream, taxDocumentStreams } from '#domain/invoice/tax-document-numbers.ts';
import type { Decider } from '#domain/shared/decider.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { dateInIndia, type Instant } from '#domain/shared/time.ts';
import type { TaxDocuments } from '#projections/invoices/queries.ts';

import type { Shop } from '../shop.ts';
import { SubjectErased } from '../event-store/encryption/subject-keys.ts';
import { keyedMutex } from '../platform/keyed-mutex.ts';
import { eventAt } from './read-tax-documents.ts';

type Deps = Pick<Shop, 'store' | 'execute' | 'now'> & {
  readonly taxDocuments: Pick<TaxDocuments, 'issued'>;
  readonly seller: Seller;
  /** Returns the time that the tax documents have: not that of a process whose clock is wrong. */
  readonly readTime: () => Promise<Instant>;
};

type InvoiceInput = Pick<IssueInvoice, 'id' | 'order' | 'shippedAt'>;
type CreditNoteInput = Pick<IssueInvoice, 'id' | 'shippedAt'> & Pick<IssueCreditNote, 'orderRevision' | 'returnedAt' | 'returned'>;

/** Within this time, the shop can write the tax documents of all events that two reactions handle at once. */
const TURN_MS = 8_000;

export type IssueTaxDocuments = {
  /** Issues the invoice of an order, unless it has one. Its stream is that of the financial year in which the order shipped. */
  invoice(input: InvoiceInput, metadata: CommandMetadata): Promise<void>;
  /**
   * Issues the credit note of a return, unless it has one: for these bottles, or for what is left of the order's invoice. Does nothing
   * without an invoice.
   */
  creditNote(input: CreditNoteInput, metadata: CommandMetadata): Promise<void>;
};

/** Restricts a decider to the tax documents of one order, which are all that the decision needs. */
const onlyOf = <State, Command, Event extends InvoiceEvent | CreditNoteEvent>(
  { evolve, ...decider }: Decider<State, Command, Event, never>,
  id: OrderId,
): Decider<State, Command, Event, never> => ({
  ...decider,
  evolve: (state, event) => (event.data.order === id ? evolve(state, event) : state),
});

/** Issues the tax document, without the buyer's name when the buyer's data were erased. */
const unlessErased = async (issue: (isErased: boolean) => Promise<unknown>): Promise<void> => {
  try {
    await issue(false);
  } catch (error) {
    if (!(error instanceof SubjectErased)) throw error;
    await issue(true);
  }
};

/**
 * A year's stream has too many tax documents to load for each new one: what the read model has of it is asked there, and only the rest is
 * read from the log. The append is refused when another process has written meanwhile, so that no number is given twice.
 */
export const issueTaxDocuments = ({ store, execute, now, taxDocuments, seller, readTime }: Deps): IssueTaxDocuments => {
  // The mutex of the command handler times out sooner than the last of these tax documents would get its turn.
  const mutex = keyedMutex({ timeout: TURN_MS, now: () => Date.parse(now()) });

  const invoiceIn = async (stream: StreamName, id: OrderId): Promise<Recorded<InvoiceEvent> | undefined> => {
    const { taxDocuments: found, head } = await taxDocuments.issued(stream, id);
    if (found[0] !== undefined) return eventAt<InvoiceEvent>(store, found[0]);
    const { events } = await store.read<InvoiceEvent>(stream, head);
    return events.find(({ data }) => data.order === id);
  };

  /** Returns the notes of an order in the stream of a year that the read model may not have yet. */
  const notesIn = async (stream: StreamName, id: OrderId): Promise<readonly Recorded<CreditNoteEvent>[]> => {
    const { head } = await taxDocuments.issued(stream, id);
    const { events } = await store.read<CreditNoteEvent>(stream, head);
    return events.filter(({ data }) => data.order === id);
  };

  return {
    invoice: (input, metadata) => {
      const stream = taxDocumentStream('invoices', dateInIndia(input.shippedAt));
      const known = async () => {
        const { taxDocuments: found, head } = await taxDocuments.issued(stream, input.id);
        return { state: { orders: new Set(found.map(() => input.id)) }, head };
      };
      return unlessErased(async (isErased) => {
        const command: IssueInvoice = { type: 'IssueInvoice', ...input, seller, isErased, now: await readTime() };
        return mutex(stream, () => execute(onlyOf(invoices, input.id), stream, command, metadata, { known }));
      });
    },

    creditNote: async ({ id, shippedAt, ...input }, metadata) => {
      const invoice = await invoiceIn(taxDocumentStream('invoices', dateInIndia(shippedAt)), id);
      if (!invoice) return;
      const stream = taxDocumentStream('credit-notes', dateInIndia(input.returnedAt));
      const years = taxDocumentStreams('credit-notes', dateInIndia(shippedAt), dateInIndia(input.returnedAt));
      const of = { invoice: invoice.data, invoiceNumber: taxDocumentNumber(invoice.stream, invoice.revision) };
      const known = async () => {
        const { taxDocuments: found, head } = await taxDocuments.issued(stream, id);
        const known = await Promise.all(found.map((position) => eventAt<CreditNoteEvent>(store, position)));
        const ofYears = await Promise.all(years.filter((year) => year !== stream).map((year) => notesIn(year, id)));
        const notes = new Map([...known, ...ofYears.flat()].map(({ position, data }) => [position, data]));
        return { state: { notes: [...notes.values()] }, head };
      };
      await unlessErased(async (isErased) => {
        const command: IssueCreditNote = { type: 'IssueCreditNote', ...of, ...input, isErased, now: await readTime() };
        return mutex(stream, () => execute(onlyOf(creditNotes, id), stream, command, metadata, { known }));
      });
    },
  };
};
