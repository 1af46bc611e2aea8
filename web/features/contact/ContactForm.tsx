import { type SubmitEventHandler, useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { ConfiguredInput } from '../../lib/configured-input.ts';
import { type FieldErrors, useFocusFirstError } from '../../lib/use-focus-first-error.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Niche } from '../../ui/Niche.tsx';
import { Field, TextArea } from '../../ui/form/Field.tsx';
import type { ContactValues } from './contact-api.ts';
import { contactReset, messageSendRequested, selectContact } from './contact-slice.ts';

/** A field's name is its input's name, else the label in lower case. */
export const fieldNameOf = ({ name, label }: Pick<ConfiguredInput, 'name' | 'label'>): string => name ?? label.toLowerCase();

type ContactFormProps = {
  readonly inputs: readonly ConfiguredInput[];
  /** Known values by field name, shown until the shopper types something else. */
  readonly known: ContactValues;
};

const missingIn = (inputs: readonly ConfiguredInput[], values: ContactValues): FieldErrors =>
  Object.fromEntries(
    inputs
      .filter((input) => input.required && !values[fieldNameOf(input)]?.trim())
      .map((input) => [fieldNameOf(input), 'Required'] as const),
  );

/** Values and errors of the form: missing values first, else the server's errors. */
const useMessage = ({ inputs, known }: ContactFormProps) => {
  const dispatch = useDispatch();
  const { error, fieldErrors } = useSelector(selectContact);
  const [typed, setTyped] = useState<ContactValues>({});
  const [missing, setMissing] = useState<FieldErrors>({});
  const isIncomplete = Object.keys(missing).length > 0;
  const values = Object.fromEntries(inputs.map(fieldNameOf).map((name) => [name, typed[name] ?? known[name] ?? '']));
  const send: SubmitEventHandler = (event) => {
    event.preventDefault();
    const missing = missingIn(inputs, values);
    setMissing(missing);
    if (Object.keys(missing).length === 0) dispatch(messageSendRequested(values));
  };
  useEffect(() => () => void dispatch(contactReset()), [dispatch]);
  return {
    values,
    change: (name: string, text: string) => setTyped({ ...typed, [name]: text }),
    send,
    summary: isIncomplete ? 'Please correct the marked fields' : error,
    errors: isIncomplete ? missing : fieldErrors,
  };
};

/** A form with the fields of its definition. The text stays until the server has it. */
export const ContactForm = ({ inputs, known }: ContactFormProps) => {
  const { loading, successMessage } = useSelector(selectContact);
  const { values, change, send, summary, errors } = useMessage({ inputs, known });
  const form = useFocusFirstError(errors);
  if (successMessage !== null) return <MessageSent>{successMessage}</MessageSent>;
  // Shown where the shopper looks: field errors above the fields, the first of which gets the focus; others above the button.
  const isOfFields = Object.keys(errors).length > 0;
  return (
    <form ref={form} noValidate onSubmit={send} className="self-start bg-paper p-6 sm:p-10 lg:p-12">
      {summary !== null && isOfFields && <Alert className="mb-7">{summary}</Alert>}
      <div className="grid gap-6 sm:grid-cols-2">
        {inputs.map((input) => {
          const name = fieldNameOf(input);
          return <Input key={name} input={input} value={values[name] ?? ''} error={errors[name]} onChange={(text) => change(name, text)} />;
        })}
      </div>
      {summary !== null && !isOfFields && <Alert className="mt-7">{summary}</Alert>}
      <Button type="submit" size="lg" busy={loading ? 'Sending...' : undefined} className="mt-7 w-full sm:w-auto">
        Send Message
      </Button>
    </form>
  );
};

type InputProps = {
  readonly input: ConfiguredInput;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
};

const Input = ({ input, value, error, onChange }: InputProps) => {
  const { label, type, required, autoComplete, placeholder, half } = input;
  const given = {
    label,
    name: fieldNameOf(input),
    required,
    optional: !required,
    autoComplete,
    placeholder,
    value,
    error,
    className: half ? undefined : 'sm:col-span-2',
  };
  return type === 'textarea' ? (
    <TextArea {...given} rows={7} onChange={({ target }) => onChange(target.value)} />
  ) : (
    <Field {...given} type={type} onChange={({ target }) => onChange(target.value)} />
  );
};

/** Replaces the form and takes the focus, which would be lost with the form's button. */
const MessageSent = ({ children }: { readonly children: string }) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div
      ref={place}
      role="status"
      tabIndex={-1}
      className="flex min-h-[30rem] flex-col items-center justify-center self-start bg-paper p-8 text-center outline-none"
    >
      <Niche height={88} drop strokeWidth={0.9} className="h-24 text-gold" />
      <h2 className="display mt-8 text-h2">Message Sent Successfully!</h2>
      <p className="mt-3 max-w-sm wrap-anywhere text-clove">{children}</p>
    </div>
  );
};
