import { NO_TEXT, type PersonalText } from '../shared/text.ts';
import type { Checkout } from './events.ts';

/** Who reads a text of an order. The packer reads the packing slip, the desk reads the order's card. */
export type OrderTextReader = 'shopper' | 'desk' | 'packer' | 'auditor';

type OrderTextRule = {
  readonly title: string;
  /** Where it is clear that an order is meant. */
  readonly shortTitle: string;
  /** Parts of the privacy page's sentences about what is collected, and what is stored. */
  readonly collected: string;
  readonly stored: string;
  /** Maximum length in characters, as counted by a text box's `maxLength`. */
  readonly limit: number;
  /** The screen that has the text's box: the cart, or the gift options of the checkout. */
  readonly typedIn: 'cart' | 'gift options';
  readonly placeholder?: string;
  /** Whether mails and the packing slip set the text apart, as words to the person who receives the order. */
  readonly isQuoted: boolean;
  readonly readers: readonly OrderTextReader[];
};

/** A field of a checkout that holds a text which the shopper typed. */
export type OrderTextField = {
  [Field in keyof Checkout]-?: Checkout[Field] extends PersonalText | undefined ? Field : never;
}[keyof Checkout];

/**
 * Every text that a shopper types for an order, in the order in which they are shown. Checkout, review, confirmation, desk, mail, packing slip,
 * audit, export, erasure and the privacy page follow this list; a text of `Checkout` that is missing here does not compile.
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

/** A value for each text of an order. */
export type OrderTexts<Text = PersonalText> = Readonly<Record<OrderTextField, Text>>;

export const mapOrderTexts = <Text>(make: (field: OrderTextField) => Text): OrderTexts<Text> =>
  Object.fromEntries(orderTextFields.map((field) => [field, make(field)])) as OrderTexts<Text>;

/** A checkout as the state has it: a text that its event left out is empty. */
export const completeCheckout = <Data extends Checkout>(checkout: Data): Data & OrderTexts => ({
  ...checkout,
  ...mapOrderTexts((field) => checkout[field] ?? NO_TEXT),
});

/** A text as it is shown. */
export type ShownText = Pick<OrderTextRule, 'title' | 'shortTitle' | 'isQuoted'> & {
  readonly field: OrderTextField;
  readonly text: PersonalText;
};

/** The texts of an order that are there and that this reader sees. JSON of an earlier release lacks those that it did not know. */
export const textsFor = (reader: OrderTextReader, order: OrderTexts): readonly ShownText[] =>
  orderTextFields.flatMap((field) => {
    const { title, shortTitle, isQuoted, readers }: OrderTextRule = orderTexts[field];
    return order[field] && readers.includes(reader) ? [{ field, title, shortTitle, isQuoted, text: order[field] }] : [];
  });

/** `['a', 'b', 'c']` as `a, b and c`. */
export const inWords = (names: readonly string[], last = ' and '): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(last);

/** Lists what an erasure deletes from an order. A sentence can begin with it. */
export const ERASED_OF_AN_ORDER = inWords([
  'Name',
  'address',
  'e-mail',
  'telephone number',
  ...orderTextFields.map((field) => orderTexts[field].title.toLowerCase()),
]);
