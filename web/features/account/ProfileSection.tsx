import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { findMissing, useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { useChangeProfileMutation, type AccountHolder } from './account-api.ts';
import { AccountSection } from './AccountSection.tsx';

type ProfileSectionProps = { readonly user: AccountHolder; readonly onChanged: (change: Partial<AccountHolder>) => void };

export const ProfileSection = ({ user, onChanged }: ProfileSectionProps) => {
  const [change, { isSuccess }] = useChangeProfileMutation();
  const { field, submit, message, isSending } = useValidatedForm<{ name: string; phone: string }>({
    defaultValues: { name: user.name, phone: user.phone },
    validate: (values) => findMissing(['name'], values),
    send: async (values) => onChanged(await change(values).unwrap()),
  });
  return (
    <AccountSection id="profile">
      <form noValidate onSubmit={submit} className="mt-5 grid gap-x-5 gap-y-5 sm:grid-cols-2">
        <Field {...field('name')} label="Name" required autoComplete="name" />
        <Field {...field('phone')} label="Phone" type="tel" optional autoComplete="tel" />
        {message !== undefined && <Alert className="sm:col-span-2">{message}</Alert>}
        {isSuccess && !isSending && message === undefined && (
          <Alert kind="success" className="sm:col-span-2">
            Saved
          </Alert>
        )}
        <div className="sm:col-span-2">
          <Button type="submit" kind="outline" busy={isSending ? 'Saving...' : undefined}>
            Save
          </Button>
        </div>
      </form>
    </AccountSection>
  );
};
