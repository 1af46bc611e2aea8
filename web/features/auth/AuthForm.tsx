import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type SubmitEventHandler, useState } from 'react';
import { type FieldErrors, useFocusFirstError } from '../../lib/use-focus-first-error.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Checkbox } from '../../ui/form/Choice.tsx';
import { Field } from '../../ui/form/Field.tsx';
import type { FormValues } from './auth-api.ts';
import { CONSENT, fieldNameOf, type FormDefinition, type FormInput } from './auth-forms.ts';

type AuthFormProps = {
  readonly form: FormDefinition;
  readonly values: FormValues;
  readonly onChange: (values: FormValues) => void;
  readonly onSubmit: (values: FormValues) => void;
  readonly loading: boolean;
  /** From the server, by field. */
  readonly errors: FieldErrors;
};

const missingIn = ({ inputs }: FormDefinition, values: FormValues): FieldErrors =>
  Object.fromEntries(
    inputs.filter((input) => input.required && !values[fieldNameOf(input)]?.trim()).map((input) => [fieldNameOf(input), 'Required']),
  );

/** A form with the fields of its definition. Missing required values are reported before anything is sent. */
export const AuthForm = ({ form, values, onChange, onSubmit, loading, errors }: AuthFormProps) => {
  const [missing, setMissing] = useState<FieldErrors>({});
  const shown = Object.keys(missing).length > 0 ? missing : errors;
  const element = useFocusFirstError(shown);
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
      {form.consent !== undefined && (
        <Checkbox
          label={form.consent}
          checked={values[CONSENT] === 'yes'}
          onChange={({ target }) => onChange({ ...values, [CONSENT]: target.checked ? 'yes' : 'no' })}
        />
      )}
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

/** A password input with a Show button. */
const PasswordField = (props: Omit<ComponentProps<typeof Field>, 'type' | 'trail'>) => {
  const [shown, setShown] = useState(false);
  const show = (
    <IconButton
      icon={shown ? EyeOff : Eye}
      label={shown ? 'Hide password' : 'Show password'}
      onClick={() => setShown(!shown)}
      className="absolute top-0.5 right-0.5 text-clove hover:text-ink"
    />
  );
  return <Field {...props} type={shown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" trail={show} />;
};
