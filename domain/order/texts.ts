import { NO_TEXT, type PersonalText } from '../shared/text.ts';
import type { Checkout } from './events.ts';

/** Lists who reads a text of an order. The packer reads the packing slip, and the desk reads the order's card. */
export type OrderTextReader = 'shopper' | 'desk' | 'packer' | 'auditor';

type OrderTextRule = {
  readonly title: string;
  /** The short title is used where it is clear that an order is meant. */
  readonly shortTitle: string;
  /** These are parts of the privacy page's sentences about the data that the shop collects and stores. */
  readonly collected: string;
  readonly stored: string;
  /** Maximum length in characters, as a text box's `maxLength` counts them. */
  readonly limit: number;
  /** The screen that has the text's box: the cart, or the gift options of the checkout. */
  readonly typedIn: 'cart' | 'gift options';
  readonly placeholder?: string;
  /** The value is true if mails and the packing slip quote the text, as words to the recipient of the order. */
  readonly isQuoted: boolean;
  readonly readers: readonly OrderTextReader[];
};

export type OrderTextField = {
  [Field in keyof Checkout]-?: Checkout[Field] extends PersonalText | undefined ? Field : never;
}[keyof Checkout];

/**
 * Lists every text that a shopper types for an order, in display order. Checkout, review, confirmation, desk, mail, packing slip, audit,
 * export, erasure and the privacy page follow this list. If a text of `Checkout` is missing here, the code does not compile.
 */
export const orderTexts = {
  giftMessage: {
    title: 'Gift message',
    shortTitle: 'Gift message',
    collected: 'your words on a gift card',
    stored: 'gift messages',
    limit: 500,
    typedIn: 'gift options',
    isQuoted: true,
    readers: ['shopper', 'packer', 'auditor'],
  },
  note: {
    title: 'Order note',
    shortTitle: 'Note',
    collected: 'your note on the order',
    stored: 'notes',
    limit: 500,
    typedIn: 'cart',
    placeholder: 'Anything the packing room should know',
    isQuoted: false,
    readers: ['shopper', 'desk', 'packer', 'auditor'],
  },
} as const satisfies Readonly<Record<OrderTextField, OrderTextRule>>;

export const orderTextFields = Object.keys(orderTexts) as readonly OrderTextField[];

/** What the box of a text needs. */
export type TextBox = Pick<OrderTextRule, 'title' | 'limit' | 'placeholder'> & { readonly field: OrderTextField };

export const textsTypedIn = (screen: OrderTextRule['typedIn']): readonly TextBox[] =>
  orderTextFields.map((field): OrderTextRule & TextBox => ({ field, ...orderTexts[field] })).filter(({ typedIn }) => typedIn === screen);

export type OrderTexts<Text = PersonalText> = Readonly<Record<OrderTextField, Text>>;

export const mapOrderTexts = <Text>(make: (field: OrderTextField) => Text): OrderTexts<Text> =>
  Object.fromEntries(orderTextFields.map((field) => [field, make(field)])) as OrderTexts<Text>;

/** Returns the checkout as the state has it: texts that its event left out are empty. */
export const completeCheckout = <Data extends Checkout>(checkout: Data): Data & OrderTexts => ({
  ...checkout,
  ...mapOrderTexts((field) => checkout[field] ?? NO_TEXT),
});

export type ShownText = Pick<OrderTextRule, 'title' | 'shortTitle' | 'isQuoted'> & {
  readonly field: OrderTextField;
  readonly text: PersonalText;
};

/** Returns the texts of an order that exist and are meant for this reader. JSON of an earlier release may lack some texts. */
export const textsFor = (reader: OrderTextReader, order: OrderTexts): readonly ShownText[] =>
  orderTextFields.flatMap((field) => {
    const { title, shortTitle, isQuoted, readers }: OrderTextRule = orderTexts[field];
    return order[field] && readers.includes(reader) ? [{ field, title, shortTitle, isQuoted, text: order[field] }] : [];
  });

/** Joins names: `['a', 'b', 'c']` becomes `a, b and c`. */
export const inWords = (names: readonly string[], last = ' and '): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(last);

/** Lists what an erasure deletes from an order, so that a sentence can begin with it. */
export const ERASED_OF_AN_ORDER = inWords([
  'Name',
  'address',
  'e-mail',
  'telephone number',
  ...orderTextFields.map((field) => orderTexts[field].title.toLowerCase()),
]);
