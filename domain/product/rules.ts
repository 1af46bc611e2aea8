import { isHsn } from '../tax/rates.ts';
import { isBlank } from '../shared/text.ts';
import { categories, type ProductDetails, type DetailsChanges } from './events.ts';

export type ProductErrors = Partial<Record<keyof ProductDetails, string>>;

/** The maximum length of each text field, and of each list, so that no product makes a page slow. */
export const productLimits = {
  name: 120,
  details: 200,
  productDescription: 1000,
  description: 5000,
  tag: 40,
  reviewsCount: 1_000_000_000,
  pictures: 12,
  pictureAddress: 500,
  productDetails: 20,
  productDetail: 200,
} as const;

const noLongerThan =
  (limit: number) =>
  (text: string): string | undefined =>
    text.length > limit ? `At most ${limit} characters` : undefined;

const nameFault = (name: string): string | undefined => (isBlank(name) ? 'Required' : noLongerThan(productLimits.name)(name));

const ratingFault = (rating: number): string | undefined =>
  rating >= 0 && rating <= 5 && Number.isInteger(rating * 2) ? undefined : 'A number from 0 to 5 in half steps';

const reviewsFault = (count: number): string | undefined =>
  Number.isInteger(count) && count >= 0 && count <= productLimits.reviewsCount ? undefined : 'A whole number, 0 or more';

const PICTURE_ADDRESS = /^(?:https:\/\/[^\s/]|\/(?![/\\]))\S*$/i;

/** Only addresses of web pages are allowed: `data:` and `javascript:` would bring foreign content into the shop. */
const picturesFault = (addresses: readonly string[]): string | undefined => {
  if (addresses.length > productLimits.pictures) return `At most ${productLimits.pictures} pictures`;
  return addresses.every((address) => address.length <= productLimits.pictureAddress && PICTURE_ADDRESS.test(address))
    ? undefined
    : 'Each picture is an address that starts with https:// or /';
};

const linesFault = (lines: readonly string[]): string | undefined => {
  if (lines.length > productLimits.productDetails) return `At most ${productLimits.productDetails} lines`;
  return lines.some((line) => line.length > productLimits.productDetail)
    ? `At most ${productLimits.productDetail} characters a line`
    : undefined;
};

const allowedCategories: ReadonlySet<string> = new Set([...categories, '']);

const checks: { readonly [Field in keyof ProductDetails]?: (value: ProductDetails[Field]) => string | undefined } = {
  name: nameFault,
  details: noLongerThan(productLimits.details),
  category: (category) => (allowedCategories.has(category) ? undefined : `One of ${categories.join(', ')}`),
  ratingStar: ratingFault,
  reviewsCount: reviewsFault,
  productImageUrl: picturesFault,
  productDescription: noLongerThan(productLimits.productDescription),
  description: noLongerThan(productLimits.description),
  productDetails: linesFault,
  tag: noLongerThan(productLimits.tag),
  hsn: (code) => (code === undefined || isHsn(code) ? undefined : '4, 6 or 8 digits'),
};

const findFault = <Field extends keyof ProductDetails>(details: DetailsChanges, field: Field): string | undefined => {
  const value = details[field];
  return value === undefined ? undefined : checks[field]?.(value);
};

/** Returns the errors of the given fields; `undefined` when there are none. Missing fields are not checked. */
export const productErrors = (details: DetailsChanges): ProductErrors | undefined => {
  const faults: ProductErrors = {};
  for (const field of Object.keys(checks) as (keyof ProductDetails)[]) {
    const fault = findFault(details, field);
    if (fault !== undefined) faults[field] = fault;
  }
  return Object.keys(faults).length > 0 ? faults : undefined;
};
