import type { StaffProductView } from '#domain/product/view.ts';
import type { CallError } from '../../../lib/http/api.ts';
import { formFields, formOf, labels, touchedFields, type ProductField, type ProductForm } from './product-form.ts';

const isProduct = (value: unknown): value is StaffProductView =>
  typeof value === 'object' && value !== null && '_id' in value && 'revision' in value && formFields.every((field) => field in value);

/** The product's current state from a 409; undefined for other errors. */
export const currentIn = ({ code, refusal }: Pick<CallError, 'code' | 'refusal'>): StaffProductView | undefined => {
  const current = refusal?.['current'];
  return code === 'product_changed' && isProduct(current) ? current : undefined;
};

/** The current product with the changes of this form applied. */
export const rebased = (mine: ProductForm, base: StaffProductView, current: StaffProductView): ProductForm => ({
  ...formOf(current),
  ...Object.fromEntries(touchedFields(mine, formOf(base)).map((field) => [field, mine[field]])),
});

export type EditDifference = {
  readonly field: ProductField;
  readonly label: string;
  /** Undefined where this form changed nothing: the other admin's value is kept there. */
  readonly mine: string | undefined;
  readonly theirs: string;
};

const shown = (value: string | boolean): string => (typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value);

/** The fields in which the form and the current product differ. */
export const differencesBetween = (mine: ProductForm, base: StaffProductView, current: StaffProductView): readonly EditDifference[] => {
  const theirs = formOf(current);
  const touched = touchedFields(mine, formOf(base));
  return touchedFields(mine, theirs).map((field) => ({
    field,
    label: labels[field],
    mine: touched.includes(field) ? shown(mine[field]) : undefined,
    theirs: shown(theirs[field]),
  }));
};
