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

/** A field is named by its input's name, else by its label in lower case (specification, section 3). */
export const fieldNameOf = ({ name, label }: Pick<ConfiguredInput, 'name' | 'label'>): string => name ?? label.toLowerCase();

type ContactFormProps = {
  readonly inputs: readonly ConfiguredInput[];
  /** What is known of who writes, by field name: stands in the form until something else is typed. */
  readonly known: ContactValues;
};

const missingIn = (inputs: readonly ConfiguredInput[], values: ContactValues): FieldErrors =>
  Object.fromEntries(
    inputs
      .filter((input) => input.required && !values[fieldNameOf(input)]?.trim())
      .map((input) => [fieldNameOf(input), 'Required'] as const),
  );

/** What stands in the form and what is wrong with it: what is missing, else what the server has against it. */
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

/** The fields that the definition lists. What was written stays until the server has it. */
export const ContactForm = ({ inputs, known }: ContactFormProps) => {
  const { loading, successMessage } = useSelector(selectContact);
  const { values, change, send, summary, errors } = useMessage({ inputs, known });
  const form = useFocusFirstError(errors);
  if (successMessage !== null) return <MessageSent>{successMessage}</MessageSent>;
  // Each where it is seen: over the fields, to the first of which the shopper is taken, or over the button that was just pressed.
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

/** Takes the place of the form once the server has the message, and the focus, which would be lost with its button. */
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
