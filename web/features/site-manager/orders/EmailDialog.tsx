import { useId } from 'react';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Field, TextArea } from '../../../ui/form/Field.tsx';
import { findMissing, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import { useCorrectEmailMutation } from '../admin-api.ts';
import type { AdminOrder } from '../admin-types.ts';
import { useNotify } from '../Notices.tsx';

type EmailDialogProps = { readonly order: AdminOrder; readonly onClose: () => void };

/** Corrects the e-mail address of an order whose mail was given up. With the same address the mail is just sent again. */
export const EmailDialog = ({ order: { _id: id, orderNumber, shippingAddress }, onClose }: EmailDialogProps) => {
  const notify = useNotify();
  const formId = useId();
  const [correct] = useCorrectEmailMutation();
  const { field, message, submit, isSending } = useValidatedForm<{ email: string; reason: string }>({
    defaultValues: { email: shippingAddress.email, reason: '' },
    validate: (values) => findMissing(['email', 'reason'], values),
    send: async ({ email, reason }) => {
      const corrected = await correct({ id, email, reason: reason.trim() }).unwrap();
      notify({ kind: 'success', message: `The mails of ${orderNumber} go to ${corrected.shippingAddress.email}` });
      onClose();
    },
  });
  return (
    <Modal
      open
      isBusy={isSending}
      onClose={onClose}
      title={`Correct the address: ${orderNumber}`}
      description={<p>The mails that did not arrive are sent again, and all later ones of this order go to the corrected address.</p>}
      foot={
        <>
          <Button kind="quiet" disabled={isSending} onClick={onClose}>
            Back
          </Button>
          <Button type="submit" form={formId} busy={isSending ? 'Sending...' : undefined}>
            Correct and send again
          </Button>
        </>
      }
    >
      {message !== undefined && <Alert className="mt-5">{message}</Alert>}
      <form id={formId} noValidate onSubmit={submit} className="mt-5 grid gap-5">
        <Field {...field('email')} label="E-mail" type="email" autoComplete="off" />
        <TextArea {...field('reason')} label="Reason" rows={3} maxLength={LONGEST_NOTE} hint="It stands in the audit of the order." />
      </form>
    </Modal>
  );
};
