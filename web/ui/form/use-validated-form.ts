import { type SubmitEventHandler, useCallback } from 'react';
import {
  useForm,
  type DefaultValues,
  type FieldErrors as Errors,
  type FieldValues,
  type Path,
  type PathValue,
  type UseFormRegisterReturn,
} from 'react-hook-form';
import { findEmailProblem } from '#domain/shared/email.ts';
import type { CallError } from '../../lib/http/api.ts';

export type FieldErrors = Readonly<Record<string, string>>;

export type FormField = UseFormRegisterReturn & { readonly error: string | undefined };

const isBlank = (value: unknown): boolean => String(value ?? '').trim() === '';

/** Returns 'Required' for each of these fields that is empty or blank. */
export const findMissing = (required: readonly string[], values: Readonly<Record<string, unknown>>): FieldErrors =>
  Object.fromEntries(required.filter((name) => isBlank(values[name])).map((name) => [name, 'Required']));

const findWrongEmail = ({ email }: Readonly<Record<string, unknown>>): FieldErrors => {
  const problem = isBlank(email) ? undefined : findEmailProblem(String(email));
  return problem === undefined ? {} : { email: problem };
};

type FormRules<Values> = {
  /** Returns all errors of the typed values, but for a wrong `email`, which no form has to look for; an empty object when there are none. */
  readonly validate: (values: Values) => FieldErrors;
  /** Sends the values. It rejects with a `CallError`, as the mutations of RTK Query do after `unwrap`. */
  readonly send: (values: Values) => unknown;
  /** Returns the fields that a refusal is about when the refusal does not name them itself. */
  readonly blamed?: (refusal: CallError) => FieldErrors;
  /** The default values list the fields in order: the first field that the server refuses takes the focus. */
  readonly defaultValues?: DefaultValues<Values>;
  /** Called with each change by the shopper, for values that are also kept outside of the form. */
  readonly onTyped?: (change: Partial<Values>) => void;
};

const isCallError = (error: unknown): error is CallError =>
  typeof error === 'object' && error !== null && 'status' in error && 'message' in error && !(error instanceof Error);

const ofFields = ({ errors = {} }: CallError): FieldErrors => errors;

/** Marks a message about the whole form that only repeats the errors of its fields. */
const SUMMARY = 'summary';

/**
 * A form on react-hook-form. All forms of the shop show errors by the same rule: errors appear when the form is submitted, and from then on
 * the error of a field changes or goes as the field is corrected. The first field with an error takes the focus. Errors that the server
 * reports for a field are shown the same way, and `message` is the server's message about the whole form until the next submission.
 *
 * Inputs keep their own text, so what was typed before the scripts loaded stays. With `defaultValues` it is lost.
 */
export const useValidatedForm = <Values extends FieldValues>(rules: FormRules<Values>) => {
  const { validate, send, blamed = ofFields, defaultValues, onTyped } = rules;
  const { register, handleSubmit, setError, getValues, getFieldState, setFocus, setValue, watch, formState } = useForm<Values>({
    ...(defaultValues && { defaultValues }),
    resolver: (values) => {
      const found = Object.entries({ ...findWrongEmail(values), ...validate(values) }).map(([name, message]) => [
        name,
        { type: 'validate', message },
      ]);
      return found.length === 0 ? { values, errors: {} } : { values: {}, errors: Object.fromEntries(found) as Errors<Values> };
    },
  });
  const { errors: found, isSubmitting, isSubmitted } = formState;
  const { root, ...fields } = found;
  const errors = Object.entries(fields).map(([name, error]) => [name, String(error?.message ?? '')] as const);

  /** Sets values that the shopper did not type. A field with an error is validated again. */
  const change = useCallback(
    (values: Readonly<Partial<Values>>): void => {
      for (const [name, value] of Object.entries(values) as [Path<Values>, PathValue<Values, Path<Values>>][])
        if (getValues(name) !== value) setValue(name, value, { shouldValidate: getFieldState(name).invalid });
    },
    [getValues, setValue, getFieldState],
  );
  /** Sets the values of blank fields, and never overwrites a typed value. */
  const fillBlanks = useCallback(
    (known: Readonly<Partial<Values>>): void => {
      const blank = Object.entries(known).filter(([name]) => isBlank(getValues(name as Path<Values>)));
      change(Object.fromEntries(blank) as Partial<Values>);
    },
    [getValues, change],
  );

  const refuse = (refusal: CallError): void => {
    const about = Object.entries(blamed(refusal)) as [Path<Values>, string][];
    setError('root', { type: about.length > 0 ? SUMMARY : 'refusal', message: refusal.message });
    for (const [name, message] of about) setError(name, { type: 'server', message });
    const first = Object.keys(getValues()).find((name) => about.some(([each]) => each === name));
    if (first !== undefined) setFocus(first as Path<Values>);
  };
  const submitOnce = handleSubmit(async (values) => {
    try {
      await send(values);
    } catch (error) {
      if (!isCallError(error)) throw error;
      refuse(error);
    }
  });
  const submit = (event?: Parameters<SubmitEventHandler>[0]): void => {
    event?.preventDefault();
    if (!isSubmitting) void submitOnce(event);
  };

  return {
    /** The errors of `related` fields depend on this one, and are validated with it. */
    field: (name: Path<Values>, related: Path<Values>[] = []): FormField => ({
      ...register(name, { deps: related, onChange: () => onTyped?.({ [name]: getValues(name) } as Partial<Values>) }),
      error: errors.find(([each]) => each === name)?.[1],
    }),
    errors: Object.fromEntries(errors) as FieldErrors,
    message: root?.type === SUMMARY && errors.length === 0 ? undefined : root?.message,
    submit,
    refuse,
    change,
    fillBlanks,
    /** Returns all values or one of them, and renders again whenever they change. */
    watch,
    isSending: isSubmitting,
    isSubmitted,
  };
};
