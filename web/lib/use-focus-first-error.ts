import { useEffect, useRef } from 'react';

/** What is wrong with which field of a form, by the field's name. */
export type FieldErrors = Readonly<Record<string, string>>;

/** For a form: takes the shopper to the first field that is to be corrected, each time there are other errors. */
export const useFocusFirstError = (errors: FieldErrors) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  return form;
};
