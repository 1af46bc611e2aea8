import type { OrderContents, PaperContents } from './receipt-contents.ts';
import type { RefusalReason } from './receipt-format.ts';
import type { Proved, Verdict } from './receipt.ts';

/** The rows of a table have as many texts as `head`. */
export type ReceiptTable = { readonly caption: string; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
type ReceiptFact = { readonly label: string; readonly value: string };

/** What page and command line say about a receipt, in this order. */
export type ReceiptReport = {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly facts: readonly ReceiptFact[];
  readonly tables: readonly ReceiptTable[];
};

const PROVED = 'This receipt is proved';
const NOT_PROVED = 'This receipt is not proved';

/** `₹2,30,000.00` for an amount in paise. */
const formatRupees = (paise: number): string => {
  const digits = String(paise).padStart(3, '0');
  const whole = digits.slice(0, -2);
  const [before, last] = [whole.slice(0, -3), whole.slice(-3)];
  return `₹${before.replace(/\B(?=(?:\d{2})+$)/g, ',')}${before && ','}${last}.${digits.slice(-2)}`;
};

/** `Order placed` for `OrderPlaced`: events of later releases can be told too. */
const tellType = (type: string): string => {
  const words = type.replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const METHODS = new Map([
  ['COD', 'cash on delivery'],
  // Whether it was paid stands in another stream.
  ['Prepaid', 'online'],
]);

type FormatTime = (time: string | number) => string;

const orderFacts = ({ number, method, total }: OrderContents): readonly ReceiptFact[] => [
  { label: 'Order', value: number },
  { label: 'Total', value: formatRupees(total) },
  { label: 'Payment', value: METHODS.get(method) ?? method },
];

const orderTables = ({ lines, events, ...sums }: OrderContents, formatTime: FormatTime): readonly ReceiptTable[] => {
  const bought = lines.map(({ name, quantity, unitPrice }) => [
    name,
    String(quantity),
    formatRupees(unitPrice),
    formatRupees(unitPrice * quantity),
  ]);
  const sum = (label: string, amount: number): readonly string[] => [label, '', '', formatRupees(amount)];
  const added = [
    sum('Subtotal', sums.subtotal),
    ...sums.taxes.map(({ rate, tax }) => sum(`Tax ${rate} %`, tax)),
    ...(sums.giftWrap > 0 ? [sum('Gift wrap', sums.giftWrap)] : []),
    sum('Total', sums.total),
  ];
  return [
    { caption: 'What was ordered', head: ['Perfume', 'Qty', 'Price', 'Amount'], rows: [...bought, ...added] },
    { caption: 'What happened', head: ['Event', 'Time'], rows: events.map(({ type, at }) => [tellType(type), formatTime(at)]) },
  ];
};

const paperFacts = ({ kind, number, hash }: PaperContents): readonly ReceiptFact[] => [
  { label: kind === 'invoice' ? 'Invoice' : 'Credit note', value: number },
  { label: 'Hash', value: hash },
];

const provedSentences = ({ contents, witnesses, quorumToday }: Proved): readonly string[] => [
  contents.kind === 'order'
    ? 'This order, with these lines and prices, stands in the shop\u2019s log. The events below were not changed since the log was signed. Later events of the order are not in this receipt. The times of the events are those of the shop\u2019s clock.'
    : `The ${contents.kind} with this number stands in the shop\u2019s log, and was not changed since the log was signed. Its amounts are not in this proof: the hash stands for them.`,
  witnesses.length > 0
    ? 'The witnesses named below saw this log at the times that they give, and saw that it only grew.'
    : 'No witness that is known here has signed it: that the shop shows everybody the same log is not proved.',
  ...(quorumToday === undefined ? [] : [`For a log of this size the shop asked for fewer witnesses than the ${quorumToday} of today.`]),
  'It is not proved that the order was paid, that the goods were sent, or that the shop keeps no second log under another key.',
];

const AGAIN = 'Save it again from the page of the order, and choose that file.';
const ELSEWHERE = 'Verify it on the page of the shop that gave it, under /verify.';
const KEEP = 'Do not rely on it. If the shop gave you this file, keep it: it shows that something is wrong there.';
const NEWER =
  'Verify it on the page of the shop, opened anew: its witnesses may be others than when this one was saved. If it is refused there too, do not rely on it, and keep it: it shows that something is wrong there.';
const ADVICE: Readonly<Record<RefusalReason, string>> = {
  malformed: AGAIN,
  origin: ELSEWHERE,
  key: ELSEWHERE,
  signature: KEEP,
  witnesses: NEWER,
  inclusion: KEEP,
  chain: KEEP,
};

/** `formatTime` is given ISO text, or milliseconds since 1970. */
export const reportReceipt = (verdict: Verdict, formatTime: FormatTime): ReceiptReport => {
  if (!verdict.proved) {
    const { reason, message } = verdict;
    return { title: NOT_PROVED, sentences: [message, ADVICE[reason]], facts: [{ label: 'Reason', value: reason }], tables: [] };
  }
  const { contents, witnesses, origin, keyId, index, size } = verdict;
  const signed = witnesses.map(({ name, seconds }) => [name, formatTime(seconds * 1000)]);
  return {
    title: PROVED,
    sentences: provedSentences(verdict),
    facts: [
      ...(contents.kind === 'order' ? orderFacts(contents) : paperFacts(contents)),
      { label: 'Log', value: origin },
      { label: 'Place in it', value: `entry ${index + 1} of ${size}` },
      { label: 'Key', value: keyId },
    ],
    tables: [
      ...(contents.kind === 'order' ? orderTables(contents, formatTime) : []),
      ...(signed.length > 0 ? [{ caption: 'Who else signed the log', head: ['Witness', 'Time'], rows: signed }] : []),
    ],
  };
};
