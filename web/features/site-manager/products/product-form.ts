import type { ProductCategory } from '#domain/product/events.ts';
import { productErrors, productLimits } from '#domain/product/rules.ts';
import { formatScentNotes, looksLikeNotes, type ScentLevel, splitDetails } from '#domain/product/scent-notes.ts';
import { priceText, type ProductView, type StaffProductView } from '#domain/product/view.ts';
import { productId } from '#domain/shared/ids.ts';
import { exactPrice, formatRupees, HIGHEST_PRICE, ZERO } from '#domain/shared/money.ts';
import { PERFUMES, type Hsn } from '#domain/tax/rates.ts';
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

/** Typed values: numbers and lists are text, and the line of notes among the details is three fields. */
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
  readonly top: string;
  readonly heart: string;
  readonly base: string;
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
  price: '',
  details: '',
  tag: '',
  productImageUrl: '',
  top: '',
  heart: '',
  base: '',
  productDescription: '',
  description: '',
  productDetails: '',
  inStock: true,
  bestsellers: false,
  isFeatured: false,
  isTrending: false,
  category: '',
  hsn: '',
  ratingStar: '',
  reviewsCount: '',
};

export const labels: Readonly<Record<ProductField, string>> = {
  name: 'Product Name',
  price: 'Price',
  details: 'Details',
  tag: 'Tag',
  productImageUrl: 'Image URLs',
  top: 'Top',
  heart: 'Heart',
  base: 'Base',
  productDescription: 'Product Description',
  description: 'Description',
  productDetails: 'Product Details',
  inStock: 'In stock',
  bestsellers: 'Bestseller',
  isFeatured: 'Featured',
  isTrending: 'Trending',
  category: 'Category',
  hsn: 'HSN code',
  ratingStar: 'Rating Star',
  reviewsCount: 'Reviews Count',
};
export const formFields = Object.keys(emptyForm) as readonly ProductField[];

/** The field of each level of notes. Together they are a line of the product's details. */
export const noteFields = { Top: 'top', Heart: 'heart', Base: 'base' } as const satisfies Record<ScentLevel, ProductField>;
const isNote = (field: ProductField): field is 'top' | 'heart' | 'base' => Object.values<string>(noteFields).includes(field);
/** Returns the field of the product that this field of the form is a part of. */
const productField = (field: ProductField) => (isNote(field) ? 'productDetails' : field);
export const productFields = [...new Set(formFields.map(productField))];

export const toForm = (product: StaffProductView): ProductForm => {
  const { notes, lines } = splitDetails(product.productDetails);
  return {
    ...emptyForm,
    ...Object.fromEntries(productFields.map((field) => [field, product[field]])),
    ...Object.fromEntries(notes.map(({ level, notes: typed }) => [noteFields[level], typed])),
    // The shown rating has the reviews of buyers too, which nobody edits.
    ratingStar: String((product.own ?? product).ratingStar),
    reviewsCount: String((product.own ?? product).reviewsCount),
    productImageUrl: joinedList(product.productImageUrl),
    productDetails: joinedList(lines),
  };
};

/** Returns 0 for empty text, and `NaN`, which validation rejects, for invalid text. */
const parseNumber = (text: string): number => (text.trim() === '' ? 0 : Number(text));

const lineOfNotes = ({ top, heart, base }: ProductForm): string => formatScentNotes({ Top: top, Heart: heart, Base: base });

/** Returns the typed details with the line of notes at its place, or behind the others. */
const joinDetails = (form: ProductForm, before: readonly string[]): string[] => {
  const { lines, at } = splitDetails(before);
  const typed = splitList(form.productDetails, lines);
  return [...typed.slice(0, at), lineOfNotes(form), ...typed.slice(at)].filter((line) => line !== '');
};

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
  productDetails: joinDetails(form, before?.productDetails ?? []),
  tag: form.tag.trim(),
  // The server checks the HSN code; without one it uses the code of the category.
  ...(form.hsn.trim() !== '' && { hsn: form.hsn.trim() as Hsn }),
  inStock: form.inStock,
  bestsellers: form.bestsellers,
  isFeatured: form.isFeatured,
  isTrending: form.isTrending,
});

/** Returns the addresses in the order of the pictures. */
export const listPictures = ({ productImageUrl }: Pick<ProductForm, 'productImageUrl'>, before?: StaffProductView): readonly string[] =>
  splitList(productImageUrl, before?.productImageUrl);

/** Moves one of the pictures to another place. */
export const movePicture = (pictures: readonly string[], from: number, to: number): readonly string[] => {
  const others = pictures.filter((_, index) => index !== from);
  return [...others.slice(0, to), ...pictures.slice(from, from + 1), ...others.slice(to)];
};

const isShown = (address: string): boolean => !productErrors({ productImageUrl: [address] });

/** Returns the typed values as the shop would show them. What cannot be shown yet is left out. */
export const previewProduct = (form: ProductForm, before?: StaffProductView): ProductView => {
  const { price, ratingStar, ...fields } = parseFields(form, before);
  const { _id, hsn, revision, left } = before ?? { _id: productId('new'), hsn: PERFUMES, revision: 0 };
  return {
    ...fields,
    _id,
    hsn,
    revision,
    ...(left !== undefined && { left }),
    price: priceText(exactPrice(price) ?? ZERO),
    ratingStar: productErrors({ ratingStar }) ? 0 : ratingStar,
    productImageUrl: fields.productImageUrl.filter(isShown),
  };
};

const PRICE = `A price such as ₹2,450.00, at most ${formatRupees(HIGHEST_PRICE)}; empty when it is not for sale`;
const NOTES_TOO_LONG = `Top, Heart and Base together at most ${productLimits.productDetail} characters`;
const NOTES_APART = 'Notes stand in Top, Heart and Base';

const isTooLong = (form: ProductForm): boolean => lineOfNotes(form).length > productLimits.productDetail;

/** A line of notes among the other details would fall apart at its commas. */
const hasNotesApart = (form: ProductForm, before: readonly string[] = []): boolean => {
  const { lines } = splitDetails(before);
  return splitList(form.productDetails, lines).some((line) => looksLikeNotes(line) && !lines.includes(line));
};

export const formErrors = (form: ProductForm, before?: StaffProductView): FormErrors => {
  const { price, inStock: _, ...details } = parseFields(form, before);
  // The error of the line of notes is shown at its own fields.
  const productDetails = isTooLong(form) ? splitList(form.productDetails) : details.productDetails;
  return {
    ...productErrors({ ...details, productDetails }),
    ...(isTooLong(form) && { base: NOTES_TOO_LONG }),
    ...(hasNotesApart(form, before?.productDetails) && { productDetails: NOTES_APART }),
    ...(exactPrice(price) === undefined && { price: PRICE }),
  };
};

export const touchedFields = (form: ProductForm, was: ProductForm): readonly ProductField[] =>
  formFields.filter((field) => form[field] !== was[field]);

/** Returns only the changed fields, so that another admin's changes to other fields are kept. A counted product has no `inStock`. */
export const findChanges = (form: ProductForm, before: StaffProductView): Partial<ProductFields> => {
  const fields = parseFields(form, before);
  return Object.fromEntries(
    touchedFields(form, toForm(before))
      .map(productField)
      .filter((field) => field !== 'inStock' || !before.stock)
      .map((field) => [field, fields[field]]),
  );
};
