import type { ProductCategory } from '#domain/product/events.ts';
import { productErrors } from '#domain/product/rules.ts';
import type { StaffProductView } from '#domain/product/view.ts';
import { exactPrice, formatRupees, HIGHEST_PRICE } from '#domain/shared/money.ts';
import type { Hsn } from '#domain/tax/rates.ts';
import type { ProductFields } from '../admin-types.ts';

export const joinedList = (entries: readonly string[]): string => entries.join(', ');

const splitParts = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const beginsWith = (parts: readonly string[], from: number, wanted: readonly string[]): boolean =>
  wanted.every((part, index) => parts[from + index] === part);

/**
 * Splits on commas, trims and drops empty entries. Entries of `before` that contain a comma ("Top: saffron, nutmeg") stay whole if they are
 * still in the text; otherwise opening and saving a product would split them.
 */
export const splitList = (text: string, before: readonly string[] = []): string[] => {
  const whole = before.map((entry) => ({ entry, parts: splitParts(entry) })).filter(({ parts }) => parts.length > 1);
  const parts = splitParts(text);
  const entries: string[] = [];
  for (let at = 0; at < parts.length;) {
    const kept = whole.find((each) => beginsWith(parts, at, each.parts));
    entries.push(kept?.entry ?? parts[at] ?? '');
    at += kept?.parts.length ?? 1;
  }
  return entries;
};

/** Typed values: numbers and lists are text. */
export type ProductForm = {
  readonly name: string;
  readonly details: string;
  readonly category: ProductCategory | '';
  readonly price: string;
  readonly ratingStar: string;
  readonly reviewsCount: string;
  readonly productImageUrl: string;
  readonly productDescription: string;
  readonly description: string;
  readonly productDetails: string;
  readonly tag: string;
  readonly hsn: string;
  readonly inStock: boolean;
  readonly bestsellers: boolean;
  readonly isFeatured: boolean;
  readonly isTrending: boolean;
};
export type ProductField = keyof ProductForm;
type FormErrors = Partial<Record<ProductField, string>>;

/** A new product is in stock; everything else is empty or off. The properties are in the order of the form. */
export const emptyForm: ProductForm = {
  name: '',
  details: '',
  category: '',
  price: '',
  ratingStar: '',
  reviewsCount: '',
  productDescription: '',
  description: '',
  productDetails: '',
  tag: '',
  hsn: '',
  productImageUrl: '',
  inStock: true,
  bestsellers: false,
  isFeatured: false,
  isTrending: false,
};

export const labels: Readonly<Record<ProductField, string>> = {
  name: 'Product Name',
  details: 'Details',
  category: 'Category',
  price: 'Price',
  ratingStar: 'Rating Star',
  reviewsCount: 'Reviews Count',
  productDescription: 'Product Description',
  description: 'Description',
  productDetails: 'Product Details',
  tag: 'Tag',
  hsn: 'HSN code',
  productImageUrl: 'Image URLs',
  inStock: 'In stock',
  bestsellers: 'Bestseller',
  isFeatured: 'Featured',
  isTrending: 'Trending',
};
export const formFields = Object.keys(emptyForm) as readonly ProductField[];

export const toForm = (product: StaffProductView): ProductForm => ({
  ...emptyForm,
  ...Object.fromEntries(formFields.map((field) => [field, product[field]])),
  ratingStar: String(product.ratingStar),
  reviewsCount: String(product.reviewsCount),
  productImageUrl: joinedList(product.productImageUrl),
  productDetails: joinedList(product.productDetails),
});

/** Returns 0 for empty text, and `NaN`, which validation rejects, for invalid text. */
const parseNumber = (text: string): number => (text.trim() === '' ? 0 : Number(text));

/** Returns the form as a request body. `before` is the product that was loaded into the form. */
export const parseFields = (form: ProductForm, before?: StaffProductView): ProductFields => ({
  name: form.name.trim(),
  details: form.details.trim(),
  category: form.category,
  price: form.price.trim(),
  ratingStar: parseNumber(form.ratingStar),
  reviewsCount: parseNumber(form.reviewsCount),
  productImageUrl: splitList(form.productImageUrl, before?.productImageUrl),
  productDescription: form.productDescription.trim(),
  description: form.description.trim(),
  productDetails: splitList(form.productDetails, before?.productDetails),
  tag: form.tag.trim(),
  // The server checks the HSN code; without one it uses the code of the category.
  ...(form.hsn.trim() !== '' && { hsn: form.hsn.trim() as Hsn }),
  inStock: form.inStock,
  bestsellers: form.bestsellers,
  isFeatured: form.isFeatured,
  isTrending: form.isTrending,
});

export const withPicture = (pictures: string, address: string): string => joinedList([...splitList(pictures), address]);

export const findPicture = ({ productImageUrl }: ProductForm): string | undefined => {
  const [first] = splitList(productImageUrl);
  return first === undefined || productErrors({ productImageUrl: [first] }) ? undefined : first;
};

const PRICE = `A price such as ₹2,450.00, at most ${formatRupees(HIGHEST_PRICE)}; empty when it is not for sale`;

export const formErrors = (form: ProductForm, before?: StaffProductView): FormErrors => {
  const { price, inStock: _, ...details } = parseFields(form, before);
  return { ...productErrors(details), ...(exactPrice(price) === undefined && { price: PRICE }) };
};

export const touchedFields = (form: ProductForm, was: ProductForm): readonly ProductField[] =>
  formFields.filter((field) => form[field] !== was[field]);

/** Returns only the changed fields, so that another admin's changes to other fields are kept. A counted product has no `inStock`. */
export const findChanges = (form: ProductForm, before: StaffProductView): Partial<ProductFields> => {
  const fields = parseFields(form, before);
  return Object.fromEntries(
    touchedFields(form, toForm(before))
      .filter((field) => field !== 'inStock' || !before.stock)
      .map((field) => [field, fields[field]]),
  );
};
