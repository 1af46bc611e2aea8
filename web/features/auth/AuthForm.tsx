import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps, type SubmitEventHandler } from 'react';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Checkbox } from '../../ui/form/Choice.tsx';
import { Field } from '../../ui/form/Field.tsx';
import type { FormField } from '../../ui/form/use-validated-form.ts';
import { CONSENT, toFieldName, type FormDefinition, type FormInput } from './auth-forms.ts';

type AuthFormProps = {
  readonly form: FormDefinition;
  readonly field: (name: string) => FormField;
  readonly submit: SubmitEventHandler;
  readonly loading: boolean;
};

export const AuthForm = ({ form, field, submit, loading }: AuthFormProps) => (
  <form noValidate onSubmit={submit} className="mt-8 space-y-5">
    {form.inputs.map((input) => (
      <Input key={toFieldName(input)} input={input} field={field(toFieldName(input))} />
    ))}
    {form.consent !== undefined && <Consent label={form.consent} field={field(CONSENT)} />}
    <Button type="submit" size="lg" busy={loading ? 'Loading...' : undefined} className="mt-2 w-full">
      {form.submit}
    </Button>
  </form>
);

const Consent = ({ label, field: { name, ref, onChange, onBlur } }: { readonly label: string; readonly field: FormField }) => (
  <Checkbox name={name} ref={ref} onChange={onChange} onBlur={onBlur} label={label} />
);

const Input = ({
  input: { type, label, required, autoComplete, hint },
  field,
}: {
  readonly input: FormInput;
  readonly field: FormField;
}) => {
  const given = { ...field, label, required, autoComplete, hint };
  return type === 'password' ? <PasswordField {...given} /> : <Field {...given} type={type} />;
};

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
