import { WrongRevision, type CommandMetadata, type Recorded, type StreamName } from '#domain/event-store.ts';
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

import type { Shop } from '../composition/types/shop.ts';
import { SubjectErased } from '../event-store/encryption/subject-keys.ts';
import { keyedMutex } from '../platform/keyed-mutex.ts';

type Deps = Pick<Shop, 'store' | 'now'> & { readonly papers: Pick<Papers, 'issued'>; readonly seller: Seller };

/** Against other processes; in this one papers of a stream are written one after the other. */
const ATTEMPTS = 20;

/** In ms: as many papers as a reaction handles at once can be written meanwhile. */
const TURN = 8_000;

type InvoiceInput = Pick<IssueInvoice, 'id' | 'order' | 'shippedAt'>;
type CreditNoteInput = Pick<IssueInvoice, 'id' | 'shippedAt'> & Pick<IssueCreditNote, 'orderRevision' | 'returnedAt'>;

export type IssuePapers = {
  /** Unless the order has one. Its number is its place in its stream, which is that of the financial year in which the order shipped. */
  invoice(input: InvoiceInput, metadata: CommandMetadata): Promise<void>;
  /** Of what is left of its invoice, unless this return has one. Nothing for an order without an invoice. */
  creditNote(input: CreditNoteInput, metadata: CommandMetadata): Promise<void>;
};

/**
 * A year's stream has too many papers to load for each new one: what the read model has of it is asked there, and only the rest is read from
 * the log. The append is refused when another process has written meanwhile, so that no number is given twice.
 */
export const issuePapers = ({ store, now, papers, seller }: Deps): IssuePapers => {
  const mutex = keyedMutex({ timeout: TURN });

  type Of<State, Command, Event extends DomainEvent> = {
    readonly decider: Pick<Decider<State, Command, Event, never>, 'initial' | 'decide' | 'evolve'>;
    readonly command: (isErased: boolean) => Command;
    readonly metadata: CommandMetadata;
  };

  /** From this head on. False: another process was faster. */
  const append = async <State, Command, Event extends DomainEvent>(
    stream: StreamName,
    known: Parameters<typeof store.read>[1],
    { decider, command, metadata }: Of<State, Command, Event>,
  ): Promise<boolean> => {
    const { events, head } = await store.read<Event>(stream, known);
    // A recorded event is an event; the compiler cannot see it of a type parameter.
    const state = (events as readonly unknown[] as readonly Event[]).reduce(decider.evolve, decider.initial);
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

  const eventAt = async <Event extends DomainEvent>(position: Parameters<typeof store.at>[0]): Promise<Recorded<Event>> => {
    const event = await store.at(position);
    if (!event) throw new Error(`The log has nothing at ${position}`);
    // The read model has only positions of such events.
    return event as unknown as Recorded<Event>;
  };

  const invoiceOf = async (id: OrderId, shippedAt: Instant): Promise<Recorded<InvoiceEvent> | undefined> => {
    const stream = paperStream('invoices', dateInIndia(shippedAt));
    const { papers: found, head } = await papers.issued('invoices', stream, id);
    if (found[0] !== undefined) return eventAt<InvoiceEvent>(found[0]);
    const { events } = await store.read<InvoiceEvent>(stream, head);
    return events.find(({ data }) => data.order === id);
  };

  return {
    invoice: (input, metadata) => {
      const stream = paperStream('invoices', dateInIndia(input.shippedAt));
      return retried(stream, async () => {
        const { papers: found, head } = await papers.issued('invoices', stream, input.id);
        if (found.length > 0) return true;
        const command = (isErased: boolean): IssueInvoice => ({ type: 'IssueInvoice', ...input, seller, isErased, now: now() });
        return append<InvoiceBook, IssueInvoice, InvoiceEvent>(stream, head, { decider: invoices, command, metadata });
      });
    },

    creditNote: ({ id, shippedAt, ...input }, metadata) => {
      const stream = paperStream('credit-notes', dateInIndia(input.returnedAt));
      return retried(stream, async () => {
        const invoice = await invoiceOf(id, shippedAt);
        if (!invoice) return true;
        const { papers: found, head } = await papers.issued('credit_notes', stream, id);
        const earlier = await Promise.all(found.map(async (position) => (await eventAt<CreditNoteEvent>(position)).data));
        const command = (isErased: boolean): IssueCreditNote => ({
          type: 'IssueCreditNote',
          invoice: invoice.data,
          invoiceNumber: paperNumber(invoice.stream, invoice.revision),
          earlier,
          ...input,
          isErased,
          now: now(),
        });
        return append<CreditNoteBook, IssueCreditNote, CreditNoteEvent>(stream, head, { decider: creditNotes, command, metadata });
      });
    },
  };
};
