import type { Category } from '#domain/product/events.ts';
import { faultsIn } from '#domain/product/rules.ts';
import type { ProductView } from '#domain/product/view.ts';
import { exactPrice, formatRupees, HIGHEST_PRICE } from '#domain/shared/money.ts';
import type { ProductFields } from '../admin-commands.ts';

/** A list as it stands in one field of the form. */
export const joinedList = (entries: readonly string[]): string => entries.join(', ');

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const beginsWith = (parts: readonly string[], from: number, wanted: readonly string[]): boolean =>
  wanted.every((part, index) => parts[from + index] === part);

/**
 * The entries of a field: split on commas, trimmed, empties dropped (specification, section 5). Entries of `before` that have a comma of
 * their own ("Top: saffron, nutmeg") stay whole wherever they still stand in the text: else opening and saving a product would cut them.
 */
export const splitList = (text: string, before: readonly string[] = []): string[] => {
  const whole = before.map((entry) => ({ entry, parts: partsOf(entry) })).filter(({ parts }) => parts.length > 1);
  const parts = partsOf(text);
  const entries: string[] = [];
  for (let at = 0; at < parts.length;) {
    const kept = whole.find((each) => beginsWith(parts, at, each.parts));
    entries.push(kept?.entry ?? parts[at] ?? '');
    at += kept?.parts.length ?? 1;
  }
  return entries;
};

/** The form as it is typed: numbers and lists are text. */
export type ProductForm = {
  readonly name: string;
  readonly details: string;
  readonly category: Category | '';
  readonly price: string;
  readonly ratingStar: string;
  readonly reviewsCount: string;
  readonly productImageUrl: string;
  readonly productDescription: string;
  readonly description: string;
  readonly productDetails: string;
  readonly tag: string;
  readonly inStock: boolean;
  readonly bestsellers: boolean;
  readonly isFeatured: boolean;
  readonly isTrending: boolean;
};
export type FormField = keyof ProductForm;
export type FormFaults = Partial<Record<FormField, string>>;

/** A new product is in stock, and nothing else (specification, section 4). */
export const emptyForm: ProductForm = {
  name: '',
  details: '',
  category: '',
  price: '',
  ratingStar: '',
  reviewsCount: '',
  productImageUrl: '',
  productDescription: '',
  description: '',
  productDetails: '',
  tag: '',
  inStock: true,
  bestsellers: false,
  isFeatured: false,
  isTrending: false,
};

/** What to show of each field, and to name it by. */
export const labels: Readonly<Record<FormField, string>> = {
  name: 'Product Name',
  details: 'Details',
  category: 'Category',
  price: 'Price',
  ratingStar: 'Rating Star',
  reviewsCount: 'Reviews Count',
  productImageUrl: 'Image URLs',
  productDescription: 'Product Description',
  description: 'Description',
  productDetails: 'Product Details',
  tag: 'Tag',
  inStock: 'In stock',
  bestsellers: 'Bestseller',
  isFeatured: 'Featured',
  isTrending: 'Trending',
};
export const formFields = Object.keys(emptyForm) as readonly FormField[];

/** The form of a product that there is: list fields joined with commas (specification, section 4). */
export const formOf = (product: ProductView): ProductForm => ({
  ...emptyForm,
  ...Object.fromEntries(formFields.map((field) => [field, product[field]])),
  ratingStar: String(product.ratingStar),
  reviewsCount: String(product.reviewsCount),
  productImageUrl: joinedList(product.productImageUrl),
  productDetails: joinedList(product.productDetails),
});

/** An empty rating or count is 0 (specification, section 5); what is not a number is `NaN`, which no rule lets through. */
const numberIn = (text: string): number => (text.trim() === '' ? 0 : Number(text));

/** What the form says, as the API takes it. `before` is the product that the form was made from. */
export const fieldsIn = (form: ProductForm, before?: ProductView): ProductFields => ({
  name: form.name.trim(),
  details: form.details.trim(),
  category: form.category,
  price: form.price.trim(),
  ratingStar: numberIn(form.ratingStar),
  reviewsCount: numberIn(form.reviewsCount),
  productImageUrl: splitList(form.productImageUrl, before?.productImageUrl),
  productDescription: form.productDescription.trim(),
  description: form.description.trim(),
  productDetails: splitList(form.productDetails, before?.productDetails),
  tag: form.tag.trim(),
  inStock: form.inStock,
  bestsellers: form.bestsellers,
  isFeatured: form.isFeatured,
  isTrending: form.isTrending,
});

/** The form with one picture more, after those that are in it. */
export const withPicture = (form: ProductForm, address: string): ProductForm => ({
  ...form,
  productImageUrl: joinedList([...splitList(form.productImageUrl), address]),
});

/** The first of the form's pictures, if it is one that a product may have: no other is asked for, not even to be looked at here. */
export const pictureIn = ({ productImageUrl }: ProductForm): string | undefined => {
  const [first] = splitList(productImageUrl);
  return first === undefined || faultsIn({ productImageUrl: [first] }) ? undefined : first;
};

const PRICE = `A price such as ₹2,450.00, at most ${formatRupees(HIGHEST_PRICE)}; empty when it is not for sale`;

/** What is wrong with which field, by the domain's own rules; nothing when all is well. */
export const faultsInForm = (form: ProductForm, before?: ProductView): FormFaults => {
  const { price, inStock: _, ...details } = fieldsIn(form, before);
  return { ...faultsIn(details), ...(exactPrice(price) === undefined && { price: PRICE }) };
};

/** The fields that are no longer as they were. */
export const touchedFields = (form: ProductForm, was: ProductForm): readonly FormField[] =>
  formFields.filter((field) => form[field] !== was[field]);

/** Of what the form says, only what was changed in it: what somebody else writes meanwhile into another field stays. */
export const changesIn = (form: ProductForm, before: ProductView): Partial<ProductFields> => {
  const fields = fieldsIn(form, before);
  return Object.fromEntries(touchedFields(form, formOf(before)).map((field) => [field, fields[field]]));
};
