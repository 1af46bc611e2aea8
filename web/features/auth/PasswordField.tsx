import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { Field } from '../../ui/form/Field.tsx';
import { IconButton } from '../../ui/IconButton.tsx';

/** A password that its owner may look at. */
export const PasswordField = (props: Omit<ComponentProps<typeof Field>, 'type' | 'trail'>) => {
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
