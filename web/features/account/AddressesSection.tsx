import { Plus } from 'lucide-react';
import { useState } from 'react';
import { BLANK_FORM, mapShipping, savedAddressErrors, type SavedAddress, type ShippingField } from '#domain/order/checkout.ts';
import { getMessage } from '../../lib/http/api.ts';
import { AddressFields } from '../../ui/address/AddressFields.tsx';
import { useAddressDoubts } from '../../ui/address/address-doubts.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Status } from '../../ui/feedback/Status.tsx';
import { Button } from '../../ui/Button.tsx';
import { useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { AccountSection } from './AccountSection.tsx';
import { useAddressesQuery, useRemoveAddressMutation, useSaveAddressMutation } from './account-api.ts';

/** The addresses that are offered at checkout, each with what can be done with it. */
export const AddressesSection = () => {
  const { data: addresses, error, refetch } = useAddressesQuery();
  const [edited, setEdited] = useState<SavedAddress | 'new'>();
  return (
    <AccountSection id="addresses">
      <p className="mt-1.5 max-w-[36rem] text-[0.9375rem] text-clove">Offered at checkout. Room for twenty.</p>
      {error && (
        <Alert className="mt-5" action={<TextButton onClick={() => void refetch()}>Try again</TextButton>}>
          {getMessage(error)}
        </Alert>
      )}
      {!addresses && !error && <Status className="mt-5 text-clove">Loading your addresses...</Status>}
      {addresses && (
        <ul className="mt-4 grid gap-4 sm:grid-cols-2">
          {addresses.map((address) => (
            <KeptAddress key={address._id} address={address} onEdit={() => setEdited(address)} />
          ))}
        </ul>
      )}
      <Button kind="outline" onClick={() => setEdited('new')} className="mt-4">
        <Plus className="size-4" strokeWidth={1.5} />
        Add an address
      </Button>
      {edited && <AddressDialog address={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </AccountSection>
  );
};

const KeptAddress = ({ address, onEdit }: { readonly address: SavedAddress; readonly onEdit: () => void }) => {
  const [save, saving] = useSaveAddressMutation();
  const [remove, removing] = useRemoveAddressMutation();
  const isBusy = saving.isLoading || removing.isLoading;
  const error = saving.error ?? removing.error;
  const { _id, name, address1, address2, city, state, postalCode, country, phone, isDefault } = address;
  const of = (
    <span className="sr-only">
      {' '}
      the address of {name}, {address1}
    </span>
  );
  return (
    <li className="flex flex-col border border-sandal px-5 pt-4 pb-2">
      <div className="flex items-baseline justify-between gap-3">
        <p className="font-medium wrap-anywhere">{name}</p>
        {isDefault && <span className="text-[0.8125rem] text-gold-deep">Default</span>}
      </div>
      <address className="mt-1 leading-[1.6] wrap-anywhere text-clove not-italic [&>span]:block">
        <span>{[address1, address2].filter(Boolean).join(', ')}</span>
        <span>
          {city} {postalCode}
        </span>
        <span>
          {state}, {country}
        </span>
        <span className="figures">{phone}</span>
      </address>
      {error && <Alert className="mt-3">{getMessage(error)}</Alert>}
      <div className="mt-auto flex flex-wrap gap-x-5 pt-2">
        <TextButton disabled={isBusy} onClick={onEdit}>
          Edit{of}
        </TextButton>
        <TextButton disabled={isBusy} onClick={() => void remove(_id)}>
          Delete{of}
        </TextButton>
        {!isDefault && (
          <TextButton disabled={isBusy} onClick={() => void save({ ...address, isDefault: true })}>
            Make default{of}
          </TextButton>
        )}
      </div>
    </li>
  );
};

type AddressDialogProps = { readonly address: SavedAddress | undefined; readonly onClose: () => void };

const AddressDialog = ({ address, onClose }: AddressDialogProps) => {
  const [save] = useSaveAddressMutation();
  const doubts = useAddressDoubts();
  const { field, errors, watch, submit, ...form } = useValidatedForm<Record<ShippingField, string>>({
    defaultValues: mapShipping((name) => address?.[name] ?? BLANK_FORM.shipping[name]),
    validate: (values) => ({ ...doubts.find(values), ...savedAddressErrors(values) }),
    send: async (values) => {
      await save({ ...values, ...(address && { _id: address._id }) }).unwrap();
      onClose();
    },
  });
  const typed = watch();
  const submitAgain = (event: Parameters<typeof submit>[0]): void => {
    doubts.insist(typed, errors);
    submit(event);
  };
  return (
    <FormDialog
      title={address ? 'Edit the address' : 'Add an address'}
      description={<p>Orders that you have placed keep the address that they were placed with.</p>}
      action="Save the address"
      keep={address ? 'Keep it as it is' : 'Add none'}
      busy="Saving..."
      form={{ ...form, submit: submitAgain }}
      onClose={onClose}
    >
      <AddressFields field={field} typed={typed} email={{ optional: true }} />
    </FormDialog>
  );
};
