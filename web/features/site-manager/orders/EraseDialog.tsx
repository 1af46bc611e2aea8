import type { OrderView } from '#domain/order/view.ts';
import { useSubmission } from '../../../lib/use-submission.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { ConfirmErasure } from '../../../ui/overlay/ConfirmErasure.tsx';
import { eraseGuest } from '../admin-commands.ts';
import { useTell } from '../Notices.tsx';
import { officeApi } from '../admin-api.ts';
import { useOffice } from '../admin-store.ts';

const CONSEQUENCES = [
  'Name, address, e-mail, telephone number and gift message go, of this order and all others made in the same browser.',
  'The guest can no longer open these orders. Totals and figures stay.',
];

type EraseDialogProps = { readonly order: OrderView; readonly onClose: () => void };

/** Asks before a guest is erased who wrote or called, and says what goes. Whether it is a guest's order only the server knows. */
export const EraseDialog = ({ order: { _id, orderNumber }, onClose }: EraseDialogProps) => {
  const tell = useTell();
  const office = useOffice();
  const { submission, submit } = useSubmission(async () => {
    const message = await eraseGuest(_id);
    tell({ kind: 'success', message });
    office(officeApi.util.invalidateTags(['Orders']));
    onClose();
    return message;
  }, 'The personal data could not be erased');
  return (
    <ConfirmErasure
      title={`Erase personal data: ${orderNumber}`}
      warning="For a guest who asked for it. This cannot be undone."
      consequences={CONSEQUENCES}
      keep="Back"
      isBusy={submission.state === 'sending'}
      onClose={onClose}
      confirm={() => void submit(undefined)}
    >
      {submission.state === 'refused' && <Alert className="mt-5">{submission.message}</Alert>}
    </ConfirmErasure>
  );
};
