import type { EventStore } from '#domain/event-store.ts';
import type { Instant } from '#domain/shared/time.ts';
import type { SalesFigures } from '#projections/stats/queries.ts';

import { Books, type Audited } from '../../audit/books/books.ts';
import { liveLog } from '../../audit/log/log-source.ts';
import type { StoredLog } from '../../event-store/stored-event.ts';
import type { OrderIds } from '../../orders/order-ids.ts';
import { readLog, type LogBook } from './log-book.ts';
import { taxDocumentVerdicts } from './tax-document-verdicts.ts';
import { stockVerdicts } from './stock-verdicts.ts';
import {
  answeredIsInLog,
  chainsAreIntact,
  erasedAwaitNothing,
  lapsedInTime,
  mailsAreUnique,
  modelsMatch,
  moneyIsBooked,
  movesAreInLog,
  nobodySawAnothers,
  numbersAreUnique,
  oneConfirmationEach,
  oneOrderEach,
  paidIsSentOrRefunded,
  refundsAreSettledOnce,
  repeatedIsDoneOnce,
  totalsAreEqual,
  type GatewayLinks,
  type InvariantResult,
} from './verdicts.ts';
import type { RecordedAnswers } from './recorded-answers.ts';

/** The data to judge after a drill. Read models and reactions must have caught up. */
export type Evidence = {
  readonly store: EventStore & StoredLog;
  readonly now: Instant;
  /** There were no faults since this moment. */
  readonly quietAt: Instant;
  readonly idOf: OrderIds;
  /** The causes of all mails that were ever put into the outbox. */
  readonly causes: readonly string[];
  readonly links: GatewayLinks;
  readonly figures: SalesFigures | undefined;
  readonly differences: readonly string[];
};

export type JudgedCounts = Readonly<Record<'events' | 'placed' | 'invoices' | 'creditNotes', number>>;
export type Judged = JudgedCounts & { readonly verdicts: readonly InvariantResult[] };

export const judgedCounts = ({ events, placings, invoices, creditNotes }: LogBook): JudgedCounts => ({
  events,
  placed: placings.size,
  invoices: invoices.length,
  creditNotes: creditNotes.length,
});

const booked = async ({ store, now }: Evidence): Promise<Audited> => {
  const source = liveLog(store);
  const books = new Books({ head: await source.sealedHead?.(), dashboard: { moment: now } });
  for await (const page of source.pages()) books.take(page, await source.open(page));
  return books.conclude();
};

export const judged = async (evidence: Evidence, recorded: RecordedAnswers): Promise<Judged> => {
  const log = await readLog(evidence.store);
  const books = await booked(evidence);
  const verdicts = [
    answeredIsInLog(recorded, log),
    movesAreInLog(recorded, log),
    lapsedInTime(log, evidence.now),
    repeatedIsDoneOnce(recorded, log),
    oneOrderEach(recorded, log, evidence.idOf),
    numbersAreUnique(log),
    oneConfirmationEach(evidence.causes, log, recorded),
    mailsAreUnique(evidence.causes),
    moneyIsBooked(evidence.links, log),
    refundsAreSettledOnce(evidence.links, log),
    paidIsSentOrRefunded(log),
    erasedAwaitNothing(recorded, log),
    ...stockVerdicts(log),
    ...taxDocumentVerdicts(log, evidence.quietAt),
    chainsAreIntact(books),
    totalsAreEqual(evidence.figures, books.dashboard),
    modelsMatch(evidence.differences),
    nobodySawAnothers(recorded),
  ];
  return { ...judgedCounts(log), verdicts };
};
