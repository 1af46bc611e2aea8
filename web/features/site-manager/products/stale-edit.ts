import type { ProductView } from '#domain/product/view.ts';
import { refusalOf } from '../../../lib/http/api.ts';
import { formFields, formOf, labels, touchedFields, type FormField, type ProductForm } from './product-form.ts';

const isProduct = (value: unknown): value is ProductView =>
  typeof value === 'object' && value !== null && '_id' in value && 'revision' in value && formFields.every((field) => field in value);

/** The product as it is now, from the refusal of an edit that was made to an older one; undefined for every other refusal. */
export const currentIn = (error: unknown): ProductView | undefined => {
  const { code, current } = refusalOf(error);
  return code === 'product_changed' && isProduct(current) ? current : undefined;
};

/** The product as it is now, with what was typed here laid over it. */
export const rebased = (mine: ProductForm, base: ProductView, current: ProductView): ProductForm => ({
  ...formOf(current),
  ...Object.fromEntries(touchedFields(mine, formOf(base)).map((field) => [field, mine[field]])),
});

export type Difference = {
  readonly field: FormField;
  readonly label: string;
  /** Undefined where nothing was typed: there the other one's stays in any case. */
  readonly mine: string | undefined;
  readonly theirs: string;
};

const shown = (value: string | boolean): string => (typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value);

/** Where what stands in the form and what the product is now are not the same. */
export const differencesBetween = (mine: ProductForm, base: ProductView, current: ProductView): readonly Difference[] => {
  const theirs = formOf(current);
  const touched = touchedFields(mine, formOf(base));
  return touchedFields(mine, theirs).map((field) => ({
    field,
    label: labels[field],
    mine: touched.includes(field) ? shown(mine[field]) : undefined,
    theirs: shown(theirs[field]),
  }));
};
