import type { SerializedError } from '@reduxjs/toolkit';
import { useState } from 'react';
import type { ProductView } from '#domain/product/view.ts';
import { type CallError, messageOf } from '../../../lib/http/api.ts';
import { useAddProductMutation, useReviseProductMutation } from '../admin-api.ts';
import { useNotify } from '../Notices.tsx';
import {
  changesIn,
  emptyForm,
  formErrors,
  fieldsIn,
  formFields,
  formOf,
  withPicture,
  type FormErrors,
  type FormField,
  type ProductForm,
} from './product-form.ts';
import { currentIn, rebased } from './stale-edit.ts';

/** An edit conflict: both versions and the ways to resolve it. */
export type Conflict = {
  readonly base: ProductView;
  readonly mine: ProductForm;
  readonly current: ProductView;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
};

export type ProductEditor = {
  readonly form: ProductForm;
  readonly faults: FormErrors;
  /** Counts the saves that were refused because of invalid fields. */
  readonly attempt: number;
  readonly isSaving: boolean;
  /** Why saving failed, when no field is to blame. */
  readonly failure: string | undefined;
  readonly conflict: Conflict | undefined;
  readonly change: (changes: Partial<ProductForm>) => void;
  /** Adds an uploaded picture to the form as it is when the upload finishes. */
  readonly addPicture: (address: string) => void;
  readonly save: () => Promise<void>;
  readonly forgetFailure: () => void;
};

const known = (errors: Readonly<Record<string, string>>): FormErrors =>
  Object.fromEntries(formFields.filter((field) => field in errors).map((field: FormField) => [field, errors[field]]));

/** Drops the errors of changed fields. */
const withoutErrorsOf = (changes: Partial<ProductForm>, faults: FormErrors): FormErrors =>
  Object.fromEntries(Object.entries(faults).filter(([field]) => !(field in changes)));

/** State of the product form: values, errors, saving, and conflicts. */
export const useProductEditor = (product: ProductView | undefined, onChanged: () => void, onClose: () => void): ProductEditor => {
  const notify = useNotify();
  const [base, setBase] = useState(product);
  const [form, setForm] = useState(product ? formOf(product) : emptyForm);
  const [faults, setFaults] = useState<FormErrors>({});
  const [attempt, setAttempt] = useState(0);
  const [add, adding] = useAddProductMutation();
  const [revise, revising] = useReviseProductMutation();
  const [failure, setFailure] = useState<string>();
  const [current, setCurrent] = useState<ProductView>();

  const blame = (wrong: FormErrors): boolean => {
    setFaults(wrong);
    const isWrong = Object.keys(wrong).length > 0;
    if (isWrong) setAttempt((count) => count + 1);
    return isWrong;
  };

  const refused = (error: CallError | SerializedError): void => {
    const theirs = currentIn(error);
    if (theirs) setCurrent(theirs);
    else if (!blame(known(('errors' in error && error.errors) || {}))) setFailure(messageOf(error));
  };

  const send = async (typed: ProductForm, before: ProductView | undefined): Promise<void> => {
    const { error } = await (before
      ? revise({ id: before._id, changes: changesIn(typed, before), expectedRevision: before.revision })
      : add(fieldsIn(typed)));
    if (error) return refused(error);
    notify(
      before
        ? { kind: 'success', message: 'Product updated successfully', stays: true }
        : { kind: 'success', message: '✅ Product added successfully' },
    );
    onChanged();
    onClose();
  };

  const startFrom = (typed: ProductForm, before: ProductView): void => {
    setForm(typed);
    setBase(before);
    setCurrent(undefined);
    setFaults({});
  };

  const conflictWith = (before: ProductView, theirs: ProductView): Conflict => ({
    base: before,
    mine: form,
    current: theirs,
    keepMine: () => {
      const typed = rebased(form, before, theirs);
      startFrom(typed, theirs);
      void send(typed, theirs);
    },
    takeTheirs: () => startFrom(formOf(theirs), theirs),
  });

  return {
    form,
    faults,
    attempt,
    isSaving: adding.isLoading || revising.isLoading,
    failure,
    conflict: base && current && conflictWith(base, current),
    change: (changes) => {
      setForm((before) => ({ ...before, ...changes }));
      setFaults((before) => withoutErrorsOf(changes, before));
    },
    addPicture: (address) => setForm((before) => withPicture(before, address)),
    save: async () => {
      if (!blame(formErrors(form, base))) await send(form, base);
    },
    forgetFailure: () => setFailure(undefined),
  };
};
