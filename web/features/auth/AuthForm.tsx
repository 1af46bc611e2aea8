import { useEffect, useRef, useState, type ComponentProps, type SubmitEventHandler } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Choice.tsx';
import { Field } from '../../ui/Field.tsx';
import type { FormValues } from './auth-api.ts';
import { fieldNameOf, type FormDefinition, type FormInput } from './auth-forms.ts';
import { PasswordField } from './PasswordField.tsx';

type Errors = Readonly<Record<string, string>>;

type AuthFormProps = {
  readonly form: FormDefinition;
  readonly values: FormValues;
  readonly onChange: (values: FormValues) => void;
  readonly onSubmit: (values: FormValues) => void;
  readonly loading: boolean;
  /** By the server, field by field. */
  readonly errors: Errors;
};

const missingIn = ({ inputs }: FormDefinition, values: FormValues): Errors =>
  Object.fromEntries(
    inputs.filter((input) => input.required && !values[fieldNameOf(input)]?.trim()).map((input) => [fieldNameOf(input), 'Required']),
  );

/** The fields that the definition lists, named by their labels; what is required and empty is said before anything is sent. */
export const AuthForm = ({ form, values, onChange, onSubmit, loading, errors }: AuthFormProps) => {
  const [missing, setMissing] = useState<Errors>({});
  const shown = Object.keys(missing).length > 0 ? missing : errors;
  const element = useFocusOnFirstOf(shown);
  const submit: SubmitEventHandler = (event) => {
    event.preventDefault();
    const missing = missingIn(form, values);
    setMissing(missing);
    if (Object.keys(missing).length === 0) onSubmit(values);
  };
  return (
    <form ref={element} noValidate onSubmit={submit} className="mt-8 space-y-5">
      {form.inputs.map((input) => {
        const name = fieldNameOf(input);
        return (
          <Input
            key={name}
            input={input}
            error={shown[name]}
            name={name}
            value={values[name] ?? ''}
            onChange={({ target }) => onChange({ ...values, [name]: target.value })}
          />
        );
      })}
      {form.consent !== undefined && <Checkbox label={form.consent} />}
      <Button type="submit" size="lg" busy={loading ? 'Loading...' : undefined} className="mt-2 w-full">
        {form.submit}
      </Button>
    </form>
  );
};

type InputProps = { readonly input: FormInput } & Pick<ComponentProps<typeof Field>, 'error' | 'name' | 'value' | 'onChange'>;

const Input = ({ input: { type, label, required, autoComplete, hint }, ...rest }: InputProps) => {
  const given = { label, required, autoComplete, hint, ...rest };
  return type === 'password' ? <PasswordField {...given} /> : <Field {...given} type={type} />;
};

/** Takes the shopper to the first field that is to be corrected. */
const useFocusOnFirstOf = (errors: Errors) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  return form;
};
