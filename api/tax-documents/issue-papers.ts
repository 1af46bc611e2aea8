import { WrongRevision, type CommandMetadata, type Recorded, type StreamHead, type StreamName } from '#domain/event-store.ts';
import type { CreditNoteEvent, InvoiceEvent, Seller } from '#domain/invoice/events.ts';
import {
  creditNotes,
  invoices,
  type CreditNoteBook,
  type InvoiceBook,
  type IssueCreditNote,
  type IssueInvoice,
} from '#domain/invoice/invoice.ts';
import { paperNumber, paperStream } from '#domain/invoice/paper-numbers.ts';
import type { Decider, DomainEvent } from '#domain/shared/decider.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { dateInIndia, type Instant } from '#domain/shared/time.ts';
import type { Papers } from '#projections/invoices/queries.ts';

import type { Shop } from '../shop.ts';
import { SubjectErased } from '../event-store/encryption/subject-keys.ts';
import { keyedMutex, type KeyedMutex } from '../platform/keyed-mutex.ts';
import { eventAt } from './read-papers.ts';

type Deps = Pick<Shop, 'store' | 'now'> & { readonly papers: Pick<Papers, 'issued'>; readonly seller: Seller; readonly mutex?: KeyedMutex };

/** Against other processes; in this one papers of a stream are written one after the other. */
const ATTEMPTS = 20;

/** In ms: as many papers as two reactions handle at once can be written meanwhile. */
const TURN = 8_000;

type InvoiceInput = Pick<IssueInvoice, 'id' | 'order' | 'shippedAt'>;
type CreditNoteInput = Pick<IssueInvoice, 'id' | 'shippedAt'> & Pick<IssueCreditNote, 'orderRevision' | 'returnedAt'>;

export type IssuePapers = {
  /** Issues the invoice of an order, unless it has one. Its stream is that of the financial year in which the order shipped. */
  invoice(input: InvoiceInput, metadata: CommandMetadata): Promise<void>;
  invoiceOf(id: OrderId, shippedAt: Instant): Promise<Recorded<InvoiceEvent> | undefined>;
  /** Issues the credit note of a return, for what is left of the order's invoice, unless the return has one. Does nothing without an invoice. */
  creditNote(input: CreditNoteInput, metadata: CommandMetadata): Promise<void>;
};

/**
 * A year's stream has too many papers to load for each new one: what the read model has of it is asked there, and only the rest is read from
 * the log. The append is refused when another process has written meanwhile, so that no number is given twice.
 */
export const issuePapers = ({ store, now, papers, seller, mutex = keyedMutex({ timeout: TURN }) }: Deps): IssuePapers => {
  type Of<State, Command, Event extends DomainEvent> = {
    readonly decider: Pick<Decider<State, Command, Event, never>, 'initial' | 'decide' | 'evolve'>;
    readonly order: OrderId;
    /** The end of what the read model has of the stream. */
    readonly known: StreamHead;
    readonly command: (isErased: boolean) => Command;
    readonly metadata: CommandMetadata;
  };

  /** False: another process appended meanwhile. */
  const append = async <State, Command, Event extends InvoiceEvent | CreditNoteEvent>(
    stream: StreamName,
    { decider, order, known, command, metadata }: Of<State, Command, Event>,
  ): Promise<boolean> => {
    const { events, head } = await store.read<Event>(stream, known);
    // A recorded event is an event; the compiler cannot see it of a type parameter.
    const own = (events as readonly unknown[] as readonly Event[]).filter(({ data }) => data.order === order);
    const state = own.reduce(decider.evolve, decider.initial);
    const write = async (isErased: boolean): Promise<void> => {
      const decision = decider.decide(state, command(isErased));
      if (decision.ok && decision.events.length > 0) await store.append(stream, head, decision.events, metadata);
    };
    try {
      await write(false).catch((error: unknown) => {
        if (!(error instanceof SubjectErased)) throw error;
        return write(true);
      });
      return true;
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error;
      return false;
    }
  };

  const retried = async (stream: StreamName, attempt: () => Promise<boolean>): Promise<void> =>
    mutex(stream, async () => {
      for (let attempts = 0; attempts < ATTEMPTS; attempts++) if (await attempt()) return;
      throw new Error(`${stream} was written to by others all the time`);
    });

  const invoiceOf = async (id: OrderId, shippedAt: Instant): Promise<Recorded<InvoiceEvent> | undefined> => {
    const stream = paperStream('invoices', dateInIndia(shippedAt));
    const { papers: found, head } = await papers.issued(stream, id);
    if (found[0] !== undefined) return eventAt<InvoiceEvent>(store, found[0]);
    const { events } = await store.read<InvoiceEvent>(stream, head);
    return events.find(({ data }) => data.order === id);
  };

  return {
    invoiceOf,

    invoice: (input, metadata) => {
      const stream = paperStream('invoices', dateInIndia(input.shippedAt));
      return retried(stream, async () => {
        const { papers: found, head: known } = await papers.issued(stream, input.id);
        if (found.length > 0) return true;
        const command = (isErased: boolean): IssueInvoice => ({ type: 'IssueInvoice', ...input, seller, isErased, now: now() });
        return append<InvoiceBook, IssueInvoice, InvoiceEvent>(stream, { decider: invoices, order: input.id, known, command, metadata });
      });
    },

    creditNote: ({ id, shippedAt, ...input }, metadata) => {
      const stream = paperStream('credit-notes', dateInIndia(input.returnedAt));
      return retried(stream, async () => {
        const invoice = await invoiceOf(id, shippedAt);
        if (!invoice) return true;
        const { papers: found, head: known } = await papers.issued(stream, id);
        const earlier = await Promise.all(found.map(async (position) => (await eventAt<CreditNoteEvent>(store, position)).data));
        const command = (isErased: boolean): IssueCreditNote => ({
          type: 'IssueCreditNote',
          invoice: invoice.data,
          invoiceNumber: paperNumber(invoice.stream, invoice.revision),
          earlier,
          ...input,
          isErased,
          now: now(),
        });
        return append<CreditNoteBook, IssueCreditNote, CreditNoteEvent>(stream, {
          order: id,
          known,
          decider: creditNotes,
          command,
          metadata,
        });
      });
    },
  };
};
