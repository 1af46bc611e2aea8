import type { SerializedError } from '@reduxjs/toolkit';
import { useRef, useState } from 'react';
import type { StaffProductView } from '#domain/product/view.ts';
import { type CallError, messageOf } from '../../../lib/http/api.ts';
import { type FieldErrors, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { useAddProductMutation, useReviseProductMutation } from '../admin-api.ts';
import { useNotify } from '../Notices.tsx';
import { changesIn, emptyForm, formErrors, fieldsIn, formFields, formOf, withPicture, type ProductForm } from './product-form.ts';
import { currentIn, rebased } from './stale-edit.ts';

/** An edit conflict: both versions and the ways to resolve it. */
export type Conflict = {
  readonly base: StaffProductView;
  readonly mine: ProductForm;
  readonly current: StaffProductView;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
};

export type ProductEditor = ReturnType<typeof useProductEditor>;

const known = ({ errors = {} }: CallError): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => formFields.some((field) => field === name)));

/** The product form: its values and errors, saving, and conflicts. */
export const useProductEditor = (product: StaffProductView | undefined, onChanged: () => void, onClose: () => void) => {
  const notify = useNotify();
  /** What the form began from. */
  const base = useRef(product);
  const [add] = useAddProductMutation();
  const [revise] = useReviseProductMutation();
  const [failure, setFailure] = useState<string>();
  const [versions, setVersions] = useState<{ readonly base: StaffProductView; readonly current: StaffProductView }>();

  const { field, errors, submit, refuse, change, watch, isSending } = useValidatedForm<ProductForm>({
    validate: (typed) => formErrors(typed, base.current),
    send: (typed) => save(typed, base.current),
    blamed: known,
    defaultValues: product ? formOf(product) : emptyForm,
  });
  const form = watch();

  const save = async (typed: ProductForm, before: StaffProductView | undefined): Promise<void> => {
    setFailure(undefined);
    const { error } = await (before
      ? revise({ id: before._id, changes: changesIn(typed, before), expectedRevision: before.revision })
      : add(fieldsIn(typed)));
    if (error) return refused(error, before);
    notify(
      before
        ? { kind: 'success', message: 'Product updated successfully', stays: true }
        : { kind: 'success', message: '✅ Product added successfully' },
    );
    onChanged();
    onClose();
  };
  const refused = (error: CallError | SerializedError, before: StaffProductView | undefined): void => {
    const current = currentIn(error);
    if (before && current) setVersions({ base: before, current });
    else if ('status' in error && Object.keys(known(error)).length > 0) refuse(error);
    else setFailure(messageOf(error));
  };

  const startFrom = (typed: ProductForm, before: StaffProductView): void => {
    base.current = before;
    setVersions(undefined);
    change(typed);
  };
  const conflictOf = ({ base: before, current }: Pick<Conflict, 'base' | 'current'>): Conflict => ({
    base: before,
    mine: form,
    current,
    keepMine: () => {
      startFrom(rebased(form, before, current), current);
      submit();
    },
    takeTheirs: () => startFrom(formOf(current), current),
  });

  return {
    form,
    field,
    faultCount: Object.keys(errors).length,
    submit,
    isSaving: isSending,
    /** Why saving failed, when no field is to blame. */
    failure,
    forgetFailure: () => setFailure(undefined),
    conflict: versions && conflictOf(versions),
    /** Adds an uploaded picture to those that the form has when the upload finishes. */
    addPicture: (address: string) => change({ productImageUrl: withPicture(watch('productImageUrl'), address) }),
  };
};
