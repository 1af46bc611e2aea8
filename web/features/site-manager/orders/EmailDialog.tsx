import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { Field, TextArea } from '../../../ui/form/Field.tsx';
import { findMissing, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { useCorrectEmailMutation } from '../admin-api.ts';
import type { AdminOrder } from '../admin-types.ts';
import { useNotify } from '../Notices.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';

type EmailDialogProps = { readonly order: AdminOrder; readonly onClose: () => void };

/** Corrects the e-mail address of an order whose mail was given up. With the same address the mail is just sent again. */
export const EmailDialog = ({ order: { _id: id, orderNumber, shippingAddress }, onClose }: EmailDialogProps) => {
  const notify = useNotify();
  const [correct] = useCorrectEmailMutation();
  const { field, ...form } = useValidatedForm<{ email: string; reason: string }>({
    defaultValues: { email: shippingAddress.email, reason: '' },
    validate: (values) => findMissing(['email', 'reason'], values),
    send: async ({ email, reason }) => {
      const corrected = await correct({ id, email, reason: reason.trim() }).unwrap();
      notify({ kind: 'success', message: `The mails of ${orderNumber} go to ${corrected.shippingAddress.email}` });
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Correct the address: ${orderNumber}`}
      description={<p>The mails that did not arrive are sent again, and all later ones of this order go to the corrected address.</p>}
      action="Correct and send again"
      keep="Keep address"
      busy="Sending..."
      form={form}
      onClose={onClose}
    >
      <Field {...field('email')} label="E-mail" type="email" autoComplete="off" />
      <TextArea {...field('reason')} label="Reason" rows={3} maxLength={LONGEST_NOTE} hint="It stands in the audit of the order." />
    </FormDialog>
  );
};
