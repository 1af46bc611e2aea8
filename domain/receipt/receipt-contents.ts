import { Refused } from './receipt-format.ts';

/** An event as the receipt has it: `data` and `metadata` are the stored texts, in which personal fields are encrypted. */
export type ReceiptEvent = {
  readonly stream: string;
  readonly revision: number;
  readonly eventId: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
};

/** `unitPrice` is in paise, `rate` in per cent. */
export type ReceiptLine = { readonly name: string; readonly quantity: number; readonly unitPrice: number; readonly rate: number };

/** What an order's receipt says, as of its last event. Amounts are in paise, `at` is ISO text in UTC, `method` is `COD` or `Prepaid`. */
export type OrderContents = {
  readonly kind: 'order';
  readonly number: string;
  readonly method: string;
  readonly lines: readonly ReceiptLine[];
  readonly subtotal: number;
  readonly taxes: readonly { readonly rate: number; readonly tax: number }[];
  readonly giftWrap: number;
  readonly total: number;
  readonly events: readonly { readonly type: string; readonly at: string }[];
};

/** What the proof of an invoice or a credit note says: its number, and the hash that stands for everything in it. */
export type PaperContents = { readonly kind: 'invoice' | 'credit note'; readonly number: string; readonly hash: string };

export type ReceiptContents = OrderContents | PaperContents;

const unreadable = (what: string): Refused => new Refused('malformed', `This is not a complete receipt: ${what}.`);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const parseRecord = (json: string): Readonly<Record<string, unknown>> => {
  const value: unknown = JSON.parse(json);
  if (!isRecord(value)) throw unreadable('an event in it cannot be read');
  return value;
};

/** With a lone surrogate, two different texts would have the same bytes. */
const isText = (value: unknown): boolean => typeof value === 'string' && !/\p{Surrogate}/u.test(value);

const isEvent = (value: unknown): value is ReceiptEvent =>
  isRecord(value) &&
  Object.keys(value).join() === 'stream,revision,eventId,type,data,metadata' &&
  isCount(value.revision) &&
  [value.stream, value.eventId, value.type, value.data, value.metadata].every(isText);

/** Reads the events of an order, one JSON object a line. Throws `Refused` unless each is written just as the shop writes it. */
export const parseEvents = (ndjson: string): readonly ReceiptEvent[] => {
  if (!ndjson.endsWith('\n')) throw unreadable('its events are cut off');
  return ndjson
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const event: unknown = parseRecord(line);
      if (!isEvent(event) || JSON.stringify(event) !== line) throw unreadable('an event in it is not written as the shop writes them');
      return event;
    });
};

const GIFT_WRAP = 39_00;
/** Old orders do not name their rate. */
const STANDARD_RATE = 18;

const parseLine = (line: unknown): ReceiptLine => {
  const { name, quantity, unitPrice, rate = STANDARD_RATE } = isRecord(line) ? line : {};
  if (typeof name !== 'string' || !isCount(quantity) || !isCount(unitPrice) || typeof rate !== 'number' || !(rate >= 0 && rate <= 100))
    throw unreadable('a line of its order cannot be read');
  return { name, quantity, unitPrice, rate };
};

/** Computes a percentage, half up to the paisa. The product can exceed what a number holds exactly. */
const percent = (amount: number, rate: number): number => Number((BigInt(amount) * BigInt(Math.round(rate * 100)) + 5_000n) / 10_000n);

const sum = (amounts: readonly number[]): number => amounts.reduce((total, each) => total + each, 0);
const lineAmount = ({ unitPrice, quantity }: ReceiptLine): number => unitPrice * quantity;

const computeSums = (lines: readonly ReceiptLine[], isWrapped: boolean) => {
  const rates = [...new Set(lines.map(({ rate }) => rate))].sort((one, other) => other - one);
  const taxes = rates.map((rate) => ({ rate, tax: percent(sum(lines.filter((line) => line.rate === rate).map(lineAmount)), rate) }));
  const [subtotal, giftWrap] = [sum(lines.map(lineAmount)), isWrapped ? GIFT_WRAP : 0];
  const total = subtotal + sum(taxes.map(({ tax }) => tax)) + giftWrap;
  if (!Number.isSafeInteger(total)) throw unreadable('the amounts of its order cannot be read');
  return { subtotal, taxes, giftWrap, total };
};

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const parseTime = (value: unknown): string => {
  if (typeof value !== 'string' || !TIME.test(value)) throw unreadable('the time of an event in it cannot be read');
  return value;
};

/** Reads what was bought from the events of an order, which are in order. Throws `Refused` if it was not placed. */
export const readOrder = (events: readonly ReceiptEvent[]): OrderContents => {
  const placed = events.findLast(({ type }) => type === 'OrderPlaced');
  const checkout = events.findLast(({ type }) => type === 'OrderCreated' || type === 'OrderRevised');
  if (!placed || !checkout) throw unreadable('its order was not placed');
  const { number, method } = parseRecord(placed.data);
  const { lines, giftWrap } = parseRecord(checkout.data);
  if (typeof number !== 'string' || typeof method !== 'string' || !Array.isArray(lines) || typeof giftWrap !== 'boolean')
    throw unreadable('its order cannot be read');
  const bought = lines.map(parseLine);
  const told = events.map(({ type, metadata }) => ({ type, at: parseTime(parseRecord(metadata).recordedAt) }));
  return { kind: 'order', number, method, lines: bought, ...computeSums(bought, giftWrap), events: told };
};

/** A leaf, except that the stream's name is in clear. */
export type NamedLeaf = { readonly stream: string; readonly revision: string; readonly hash: string };

const LEAF = /^ruhani-event\/1\n([^\n]+)\n(0|[1-9]\d*)\n([0-9a-f]{64})\n$/;
const PAPER = /^(invoices|credit-notes)-(20(\d\d))-(\d\d(\d\d))$/;

export const parseNamedLeaf = (text: string): NamedLeaf => {
  const [, stream, revision = '', hash = ''] = LEAF.exec(text) ?? [];
  if (stream === undefined) throw unreadable('the four lines of its event cannot be read');
  return { stream, revision, hash };
};

/** Papers are numbered by their place in the stream of the financial year: `RH/26-27/000001` is the first event of `invoices-2026-2027`. */
export const readPaper = ({ stream, revision, hash }: NamedLeaf): PaperContents => {
  const [, kind, year, from, next, to] = PAPER.exec(stream) ?? [];
  // Of all streams, one alone has papers with these numbers.
  if (kind === undefined || Number(next) !== Number(year) + 1) throw unreadable('it is not the proof of an invoice');
  const isInvoice = kind === 'invoices';
  const number = `${isInvoice ? 'RH' : 'RC'}/${from}-${to}/${String(Number(revision) + 1).padStart(6, '0')}`;
  return { kind: isInvoice ? 'invoice' : 'credit note', number, hash };
};
