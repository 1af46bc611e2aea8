import { useEffect, useRef } from 'react';

/** Error messages by field name. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Focuses the first invalid field whenever the errors change. */
export const useFocusFirstError = (errors: FieldErrors) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  return form;
};
