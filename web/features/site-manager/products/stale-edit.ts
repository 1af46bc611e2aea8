import type { StaffProductView } from '#domain/product/view.ts';
import type { CallError } from '../../../lib/http/api.ts';
import { productFields, toForm, labels, touchedFields, type ProductField, type ProductForm } from './product-form.ts';

const isProduct = (value: unknown): value is StaffProductView =>
  typeof value === 'object' && value !== null && '_id' in value && 'revision' in value && productFields.every((field) => field in value);

/** Returns the product's current state from a 409, or undefined for other errors. */
export const parseCurrent = ({ code, refusal }: Pick<CallError, 'code' | 'refusal'>): StaffProductView | undefined => {
  const current = refusal?.['current'];
  return code === 'product_changed' && isProduct(current) ? current : undefined;
};

export const rebased = (mine: ProductForm, base: StaffProductView, current: StaffProductView): ProductForm => ({
  ...toForm(current),
  ...Object.fromEntries(touchedFields(mine, toForm(base)).map((field) => [field, mine[field]])),
});

export type EditDifference = {
  readonly field: ProductField;
  readonly label: string;
  /** Undefined for a field that this form did not change, where the other admin's value is kept. */
  readonly mine: string | undefined;
  readonly theirs: string;
};

const shown = (value: string | boolean): string => (typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value);

export const differencesBetween = (mine: ProductForm, base: StaffProductView, current: StaffProductView): readonly EditDifference[] => {
  const theirs = toForm(current);
  const touched = touchedFields(mine, toForm(base));
  return touchedFields(mine, theirs).map((field) => ({
    field,
    label: labels[field],
    mine: touched.includes(field) ? shown(mine[field]) : undefined,
    theirs: shown(theirs[field]),
  }));
};
