import { logPosition, START, type Recorded, type StreamHead, type StreamName } from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { product } from '#domain/product/product.ts';
import { toView } from '#domain/product/view.ts';
import { orderId, productId } from '#domain/shared/ids.ts';
import { explainStock } from '#domain/stock/stock-audit.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import { stock } from '#domain/stock/stock.ts';
import { viewStock } from '#domain/stock/view.ts';
import { formatRupees } from '#domain/shared/money.ts';
import type { ReceiptPolicy } from '#domain/receipt/receipt.ts';
import { orderIdFromStream } from '#domain/order/order.ts';

import { Books, type Audited } from '../audit/books/books.ts';
import type { CheckLine } from '../audit/books/check-books.ts';
import { headsInFile } from '../audit/log/log-file.ts';
import { inLogOrder, logInFile, type LogSource } from '../audit/log/log-source.ts';
import type { SavedHead, SavedHeads } from '../audit/saved-heads.ts';
import { paymentAt, replayOrder } from '../audit/orders/order-history.ts';
import { readBooks, type HeadsToCompare } from '../audit/books/read-books.ts';
import { Recount } from '../audit/what-if/recount.ts';
import { storedLine, viewEvent, type EventView } from '../audit/audit-json.ts';
import { verifyChain } from '../event-store/chain.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';
import { auditArguments, UsageError, type AuditArguments } from './audit-arguments.ts';
import { reportCheck, reportLog } from './audit-texts.ts';
import { progressPrinter, countText } from './progress-lines.ts';
import { readPolicy } from '../transparency/receipt-policy.ts';
import { verifyReceiptFile } from './verify-receipt.ts';
import { reportWhatIf } from './what-if-report.ts';

/** The source is a log to audit, with what only the running shop can provide. */
export type AuditSource = LogSource & {
  readonly savedHeads?: SavedHeads;
  readonly check?: (heads: AsyncIterable<readonly SavedHead[]> | undefined, signal: AbortSignal) => AsyncIterable<CheckLine>;
  /** Finds the order without reading the whole log. */
  readonly orderWithNumber?: (number: string) => Promise<string | undefined>;
};

export type AuditDeps = {
  /** The function is called only if no file is given. */
  readonly live: () => Promise<AuditSource>;
  /** Returns the keys that this shop signs receipts with; undefined on a machine without the shop. It reads no database. */
  readonly shopPolicy?: () => Promise<ReceiptPolicy | undefined>;
  /** Prints the result, without the last newline. Resolves when it is written, because long output waits for its reader. */
  readonly out: (lines: string) => void | Promise<void>;
  readonly err: (line: string) => void;
  readonly signal?: AbortSignal;
};

const USAGE = `Usage: npm run audit -- <command> [--file <export>]
  order <id or number> [--at <revision or time>] [--verify]     its events and its state then
  product <id> [--at <revision or time>] [--verify]             the same for a product
  stock <product id> [--at <revision or time>] [--verify]       its bottles, and the events they come from
  export [--from <position>]                                    the log after a position, one event per line
  heads [--save]                                                the head of every stream, to be stored elsewhere, or in the shop (--save)
  verify-all [--heads <saved heads>]                            chains, histories and figures, recomputed from the first event;
                                                                without --file also the dashboard, and every read model row by row
  what-if [--rate <HSN>=<percent>]... [--from <day>] [--wrap <rupees>] [--shipping <fee>:<free from>] [--json]
                                                                what all orders would have cost under other rules
  receipt <file> [--key <vkey>]... [--policy <policy>]          whether the log has what a receipt or an invoice's proof says; by default
                                                                with the keys of the shop of DATA_DIR, otherwise with those given here
With --file it reads an export instead of the shop's log, and needs no shop, database or key; nor does receipt.`;

type Run = (source: AuditSource, asked: AuditArguments, deps: AuditDeps) => Promise<number>;

const exportLog: Run = async (source, { from }, { out, err, signal }) => {
  const progress = progressPrinter('', err);
  let count = 0;
  for await (const page of source.pages(from === undefined ? START : logPosition(from))) {
    await out(page.map((event) => JSON.stringify(storedLine(event))).join('\n'));
    progress((count += page.length));
    if (signal?.aborted) return 1;
  }
  err(`${countText(count)} events exported`);
  return 0;
};

async function* goThrough(
  source: AuditSource,
  books: Books,
  deps: AuditDeps,
  witnesses: HeadsToCompare = {},
): AsyncGenerator<readonly SavedHead[]> {
  const progress = progressPrinter('', deps.err);
  for await (const { events, settled } of readBooks(source, books, { savedHeads: source.savedHeads, ...witnesses })) {
    progress(events);
    if (deps.signal?.aborted) throw new Error('Broken off');
    yield settled;
  }
}

const heads: Run = async (source, { save }, deps) => {
  const books = new Books({ head: await source.sealedHead?.() });
  const all = async function* (): AsyncGenerator<readonly SavedHead[]> {
    yield* goThrough(source, books, deps);
    const head = books.logHead();
    if (head) yield [head];
    // Heads of a faulty log must not be saved as evidence.
    if (report(books.conclude(), deps.err) !== 0) throw new Error('No head is given for a log with faults');
  };
  if (!save) {
    for await (const page of all()) for (const head of page) await deps.out(JSON.stringify(head));
    return 0;
  }
  await source.savedHeads?.save(all());
  deps.err('The heads are saved in the shop');
  return 0;
};

const report = ({ figures, ...audited }: Audited, out: (line: string) => void): number => {
  reportLog(audited, out);
  out(`${countText(figures.orders)} orders placed, sales ${formatRupees(figures.sales)}`);
  return audited.count === 0 ? 0 : 1;
};

const verifyAll: Run = async (source, { heads: file }, deps) => {
  const known = file === undefined ? undefined : headsInFile(file);
  if (source.check) return reportCheck(source.check(known, deps.signal ?? new AbortController().signal), deps);
  const books = new Books({ head: await source.sealedHead?.() });
  for await (const _ of goThrough(source, books, deps, { heads: known }));
  return report(books.conclude(), deps.out);
};

const whatIf: Run = async (source, { rules, json }, { out, err, signal }) => {
  const recount = await Recount.open(rules);
  try {
    const progress = progressPrinter('', err);
    let events = 0;
    for await (const page of source.orders()) {
      await recount.take(page);
      progress((events += page.length));
      if (signal?.aborted) return 1;
    }
    await reportWhatIf({ rules, sums: await recount.sums(), differing: recount.differing() }, json, out);
    return 0;
  } finally {
    await recount.close();
  }
};

const eventText = ({ revision, type, metadata, unreadable }: EventView): string => {
  const moment = metadata ? `${metadata.recordedAt}  ${metadata.actor.kind} ${metadata.actor.id}` : 'unknown time and actor';
  return `${String(revision).padStart(4)}  ${moment}  ${type}${unreadable === undefined ? '' : `: ${unreadable}`}`;
};

const upTo = (events: readonly Recorded[], at: AuditArguments['at']): readonly Recorded[] => {
  if (at === undefined) return events;
  return events.filter((event) => (typeof at === 'number' ? event.revision <= at : (viewEvent(event).recordedAt ?? '') <= at));
};

const showChain = (stream: StreamName, stored: readonly StoredEvent[], saved: readonly StreamHead[], out: AuditDeps['out']): number => {
  const verdict = verifyChain(stream, inLogOrder(stored), saved);
  out(
    verdict.chain === 'intact'
      ? `Chain intact, ends with ${verdict.head.hash}`
      : `Chain BROKEN at revision ${verdict.brokenAt}: ${verdict.fault}`,
  );
  return verdict.chain === 'intact' ? 0 : 1;
};

/** `money` has the events of the order's payment. */
type Show = (id: string, events: readonly Recorded[], money: readonly Recorded[]) => object | string;

const showOrder: Show = (id, events, money) =>
  replayOrder(orderId(id), events, undefined, paymentAt(money)).states.at(-1) ?? 'It did not exist yet';
const showProduct: Show = (id, events) => {
  const state = (events as readonly Recorded<ProductEvent>[]).reduce(product.evolve, product.initial);
  return state.status === 'offered' ? toView(productId(id), state) : state.status === 'none' ? 'It did not exist yet' : 'It was removed';
};
const showStock: Show = (_, read) => {
  const events = read as readonly Recorded<StockEvent>[];
  return { stock: viewStock(events.reduce(stock.evolve, stock.initial)), amounts: explainStock(events) };
};

const idOfNumber = async (source: AuditSource, number: string): Promise<string | undefined> => {
  const known = await source.orderWithNumber?.(number);
  if (known !== undefined) return known;
  const needle = JSON.stringify(number);
  for await (const page of source.pages())
    for (const { type, data, stream } of page) if (type === 'OrderPlaced' && data.includes(needle)) return orderIdFromStream(stream);
  return undefined;
};

const showOne =
  (category: 'order' | 'product' | 'stock', show: Show): Run =>
  async (source, { name = '', at, verify }, { out, err }) => {
    const id = /^RH-/i.test(name) ? await idOfNumber(source, name.toUpperCase()) : name;
    const stream: StreamName = `${category}-${id ?? ''}`;
    const { stored, read } = id === undefined ? { stored: [], read: [] } : await source.history(stream);
    if (id === undefined || read.length === 0) {
      err(`There is no ${category} ${name} in this log`);
      return 1;
    }
    const events = upTo(read, at);
    for (const event of events) await out(eventText(viewEvent(event)));
    const { read: money } = category === 'order' ? await source.history(`payment-${id}`) : { read: [] };
    const shown = show(id, events, money);
    await out(typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2));
    return verify ? showChain(stream, stored, (await source.savedHeads?.of(stream)) ?? [], out) : 0;
  };

const COMMANDS = new Map<string, Run>([
  ['order', showOne('order', showOrder)],
  ['product', showOne('product', showProduct)],
  ['stock', showOne('stock', showStock)],
  ['export', exportLog],
  ['heads', heads],
  ['verify-all', verifyAll],
  ['what-if', whatIf],
]);

const receipt = async ({ name = '', keys, policy: file }: AuditArguments, { shopPolicy, out }: AuditDeps): Promise<number> => {
  const given = file === undefined ? keys && { logs: keys, witnesses: [], quorum: 0 } : await readPolicy(file);
  const policy = given ?? (await shopPolicy?.());
  if (!policy) throw new Error('There is no key to verify with: give --key, a line of /log/key of the shop that you trust, or --policy');
  return (await verifyReceiptFile(name, policy, out)) ? 0 : 1;
};

/**
 * Runs `order | product | stock | export | heads | verify-all | what-if | receipt`. Returns the exit code: 1 if the check has findings, if something
 * does not exist, or after an error, which is printed in one line.
 */
export const auditCommand = async (args: readonly string[], deps: AuditDeps): Promise<number> => {
  try {
    const asked = auditArguments(args);
    if (asked.command === 'receipt') return await receipt(asked, deps);
    const run = COMMANDS.get(asked.command);
    if (!run) throw new UsageError(`Unknown command: ${asked.command}`);
    return await run(asked.file === undefined ? await deps.live() : logInFile(asked.file), asked, deps);
  } catch (error) {
    deps.err(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageError) deps.err(USAGE);
    return 1;
  }
};
