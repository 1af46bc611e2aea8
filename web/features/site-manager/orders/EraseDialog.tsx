import type { OrderView } from '#domain/order/view.ts';
import { useSubmission } from '../../../lib/use-submission.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { eraseGuest } from '../commands.ts';
import { useTell } from '../Notices.tsx';
import { officeApi } from '../office-api.ts';
import { useOffice } from '../office-store.ts';

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
  const busy = submission.state === 'sending';
  return (
    <Modal
      open
      isBusy={busy}
      onOpenChange={onClose}
      title={`Erase personal data: ${orderNumber}`}
      description={
        <>
          <p>For a guest who asked for it. This cannot be undone.</p>
          <ul className="list-disc space-y-1.5 pl-5">
            <li>Name, address, e-mail, telephone number and gift message go, of this order and all others made in the same browser.</li>
            <li>The guest can no longer open these orders. Totals and figures stay.</li>
          </ul>
        </>
      }
      foot={
        <>
          <Button kind="quiet" disabled={busy} onClick={onClose}>
            Back
          </Button>
          <Button kind="destructive" busy={busy ? 'Erasing...' : undefined} onClick={() => void submit(undefined)}>
            Erase for good
          </Button>
        </>
      }
    >
      {submission.state === 'refused' && <Alert className="mt-5">{submission.message}</Alert>}
    </Modal>
  );
};
