import type { SerializedError } from '@reduxjs/toolkit';
import { useRef, useState } from 'react';
import type { StaffProductView } from '#domain/product/view.ts';
import { type CallError, getMessage } from '../../../lib/http/api.ts';
import { type FieldErrors, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { useAddProductMutation, useReviseProductMutation } from '../admin-api.ts';
import { useNotify } from '../Notices.tsx';
import {
  findChanges,
  emptyForm,
  formErrors,
  joinedList,
  listPictures,
  parseFields,
  formFields,
  toForm,
  touchedFields,
  type ProductForm,
} from './product-form.ts';
import { parseCurrent, rebased } from './stale-edit.ts';

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

export const useProductEditor = (product: StaffProductView | undefined, onChanged: () => void, onClose: () => void) => {
  const notify = useNotify();
  const base = useRef(product);
  const [opened, setOpened] = useState(product);
  const [add] = useAddProductMutation();
  const [revise] = useReviseProductMutation();
  const [failure, setFailure] = useState<string>();
  const [versions, setVersions] = useState<{ readonly base: StaffProductView; readonly current: StaffProductView }>();

  const { field, errors, submit, refuse, change, watch, isSending } = useValidatedForm<ProductForm>({
    validate: (typed) => formErrors(typed, base.current),
    send: (typed) => save(typed, base.current),
    blamed: known,
    defaultValues: product ? toForm(product) : emptyForm,
  });
  const form = watch();

  const save = async (typed: ProductForm, before: StaffProductView | undefined): Promise<void> => {
    setFailure(undefined);
    const { error } = await (before
      ? revise({ id: before._id, changes: findChanges(typed, before), expectedRevision: before.revision })
      : add(parseFields(typed)));
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
    const current = parseCurrent(error);
    if (before && current) setVersions({ base: before, current });
    else if ('status' in error && Object.keys(known(error)).length > 0) refuse(error);
    else setFailure(getMessage(error));
  };

  const getForm = (): ProductForm => watch();
  const setPictures = (pictures: readonly string[]): void => change({ productImageUrl: joinedList(pictures) });
  const startFrom = (typed: ProductForm, before: StaffProductView): void => {
    base.current = before;
    setOpened(before);
    setVersions(undefined);
    change(typed);
  };
  const createConflict = ({ base: before, current }: Pick<Conflict, 'base' | 'current'>): Conflict => ({
    base: before,
    mine: form,
    current,
    keepMine: () => {
      startFrom(rebased(form, before, current), current);
      submit();
    },
    takeTheirs: () => startFrom(toForm(current), current),
  });

  return {
    form,
    field,
    faultCount: Object.keys(errors).length,
    submit,
    isSaving: isSending,
    failure,
    forgetFailure: () => setFailure(undefined),
    conflict: versions && createConflict(versions),
    /** The number of fields that differ from what was opened. */
    changed: touchedFields(form, opened ? toForm(opened) : emptyForm).length,
    pictures: listPictures(form, opened),
    setPictures,
    addPicture: (address: string) => setPictures([...listPictures(getForm(), opened), address]),
  };
};
