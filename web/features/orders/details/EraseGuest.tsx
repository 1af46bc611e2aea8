import { useState } from 'react';
import type { OrderId } from '#domain/shared/ids.ts';
import { useSubmission } from '../../../lib/use-submission.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { eraseGuest } from '../order-api.ts';

type EraseGuestProps = { readonly id: OrderId; readonly onErased: (message: string) => void };

/** For a guest, once the order is closed: asks once more, with what goes and what stays. */
export const EraseGuest = (props: EraseGuestProps) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" size="lg" onClick={() => setOpen(true)}>
        Erase my personal data
      </Button>
      {open && <EraseDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
};

const EraseDialog = ({ id, onErased, onClose }: EraseGuestProps & { readonly onClose: () => void }) => {
  const { submission, submit } = useSubmission(async () => {
    const message = await eraseGuest(id);
    onErased(message);
    return message;
  }, 'Your personal data could not be erased');
  const busy = submission.state === 'sending';
  return (
    <Modal
      open
      isBusy={busy}
      onOpenChange={onClose}
      title="Erase your personal data?"
      description={<WhatHappens />}
      foot={
        <>
          <Button kind="outline" disabled={busy} onClick={onClose}>
            Keep my data
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

const WhatHappens = () => (
  <>
    <p>This cannot be undone, by you or by us.</p>
    <ul className="list-disc space-y-1.5 pl-5">
      <li>Name, address, e-mail, telephone number and gift message go, of all orders that you made in this browser.</li>
      <li>The pages of these orders can no longer be opened, and your cart is emptied.</li>
      <li>What was sold, when and for how much stays in our books, as the law asks.</li>
    </ul>
  </>
);
