import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { ConfiguredInput } from '../../lib/configured-input.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Niche } from '../../ui/Niche.tsx';
import { Field, TextArea } from '../../ui/form/Field.tsx';
import { findMissing, useValidatedForm, type FormField } from '../../ui/form/use-validated-form.ts';
import { useSendMessageMutation, type ContactValues } from './contact-api.ts';
import { contactReset, selectContact } from './contact-slice.ts';

/** Returns a field's name: its input's name, else its label in lower case. */
export const contactFieldName = ({ name, label }: Pick<ConfiguredInput, 'name' | 'label'>): string => name ?? label.toLowerCase();

type ContactFormProps = { readonly inputs: readonly ConfiguredInput[]; readonly known: ContactValues };

/** A form built from its definition. The text stays in the form until the server has accepted it. */
export const ContactForm = ({ inputs, known }: ContactFormProps) => {
  const dispatch = useDispatch();
  const { loading, successMessage } = useSelector(selectContact);
  const [send] = useSendMessageMutation();
  const required = inputs.filter((input) => input.required).map(contactFieldName);
  const { field, submit, errors, message, fillBlanks } = useValidatedForm<ContactValues>({
    validate: (values) => findMissing(required, values),
    send: (values) => send(values).unwrap(),
  });
  useEffect(() => fillBlanks(known), [fillBlanks, known]);
  useEffect(() => () => void dispatch(contactReset()), [dispatch]);
  if (successMessage !== null) return <MessageSent>{successMessage}</MessageSent>;
  // Field errors are announced above the fields, the first of which takes the focus; other errors above the button.
  const isOfFields = Object.keys(errors).length > 0;
  return (
    <form noValidate onSubmit={submit} className="self-start bg-paper p-6 sm:p-10 lg:p-12">
      {isOfFields && <Alert className="mb-7">{message ?? 'Please correct the marked fields'}</Alert>}
      <div className="grid gap-6 sm:grid-cols-2">
        {inputs.map((input) => (
          <Input key={contactFieldName(input)} input={input} field={field(contactFieldName(input))} />
        ))}
      </div>
      {!isOfFields && message !== undefined && <Alert className="mt-7">{message}</Alert>}
      <Button type="submit" size="lg" busy={loading ? 'Sending...' : undefined} className="mt-7 w-full sm:w-auto">
        Send Message
      </Button>
    </form>
  );
};

const Input = ({ input, field }: { readonly input: ConfiguredInput; readonly field: FormField }) => {
  const { label, type, required, autoComplete, placeholder, half } = input;
  const className = half ? undefined : 'sm:col-span-2';
  const given = { ...field, label, required, optional: !required, autoComplete, placeholder, className };
  return type === 'textarea' ? <TextArea {...given} rows={7} /> : <Field {...given} type={type} />;
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
