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
import type { CallError } from '../../lib/http/api.ts';

/** Sentences by field name. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The props of an input. */
export type FormField = UseFormRegisterReturn & { readonly error: string | undefined };

const isBlank = (value: unknown): boolean => String(value ?? '').trim() === '';

/** 'Required' for each of these fields that is empty or blank. */
export const missingIn = (required: readonly string[], values: Readonly<Record<string, unknown>>): FieldErrors =>
  Object.fromEntries(required.filter((name) => isBlank(values[name])).map((name) => [name, 'Required']));

type FormRules<Values> = {
  /** All errors of the typed values; empty when there are none. */
  readonly validate: (values: Values) => FieldErrors;
  /** Sends the values. Rejects with a `CallError`, as the triggers of RTK Query's mutations do after `unwrap`. */
  readonly send: (values: Values) => unknown;
  /** The fields that a refusal is about, where it does not name them itself. */
  readonly blamed?: (refusal: CallError) => FieldErrors;
  /** In the order of the fields: the focus goes to the first that the server refuses. */
  readonly defaultValues?: DefaultValues<Values>;
  /** Is told what the shopper changes, where something outside of the form keeps it. */
  readonly onTyped?: (change: Partial<Values>) => void;
};

const isCallError = (error: unknown): error is CallError =>
  typeof error === 'object' && error !== null && 'status' in error && 'message' in error && !(error instanceof Error);

const ofFields = ({ errors = {} }: CallError): FieldErrors => errors;

/** Marks a message of the whole form that only sums up those of its fields. */
const SUMMARY = 'summary';

/**
 * A form on react-hook-form. All forms of the shop show errors by the same rule: they come when the form is submitted, and from then on that
 * of a field changes or goes as the field is corrected. The focus goes to the first. What the server has against a field is shown like that
 * too, and `message` is its sentence about the whole, until the next submission.
 *
 * Inputs keep their own text, so what was typed before the scripts came stays. With `defaultValues` it does not.
 */
export const useValidatedForm = <Values extends FieldValues>(rules: FormRules<Values>) => {
  const { validate, send, blamed = ofFields, defaultValues, onTyped } = rules;
  const { register, handleSubmit, setError, getValues, getFieldState, setFocus, setValue, watch, formState } = useForm<Values>({
    ...(defaultValues && { defaultValues }),
    resolver: (values) => {
      const found = Object.entries(validate(values)).map(([name, message]) => [name, { type: 'validate', message }]);
      return found.length === 0 ? { values, errors: {} } : { values: {}, errors: Object.fromEntries(found) as Errors<Values> };
    },
  });
  const { errors: found, isSubmitting, isSubmitted } = formState;
  const { root, ...fields } = found;
  const errors = Object.entries(fields).map(([name, error]) => [name, String(error?.message ?? '')] as const);

  /** Values that were not typed. A field that had an error has that of its new value. */
  const change = useCallback(
    (values: Readonly<Partial<Values>>): void => {
      for (const [name, value] of Object.entries(values) as [Path<Values>, PathValue<Values, Path<Values>>][])
        if (getValues(name) !== value) setValue(name, value, { shouldValidate: getFieldState(name).invalid });
    },
    [getValues, setValue, getFieldState],
  );
  /** Typed values are never overwritten. */
  const fillBlanks = useCallback(
    (known: Readonly<Partial<Values>>): void => {
      const blank = Object.entries(known).filter(([name]) => isBlank(getValues(name as Path<Values>)));
      change(Object.fromEntries(blank) as Partial<Values>);
    },
    [getValues, change],
  );

  /** Shows why the server did not take the values. */
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
    /** The props of a field by this name. */
    field: (name: Path<Values>): FormField => ({
      ...register(name, { onChange: () => onTyped?.({ [name]: getValues(name) } as Partial<Values>) }),
      error: errors.find(([each]) => each === name)?.[1],
    }),
    errors: Object.fromEntries(errors) as FieldErrors,
    message: root?.type === SUMMARY && errors.length === 0 ? undefined : root?.message,
    submit,
    refuse,
    change,
    fillBlanks,
    /** The values, or that of a field, which are then rendered with every change of theirs. */
    watch,
    isSending: isSubmitting,
    isSubmitted,
  };
};
