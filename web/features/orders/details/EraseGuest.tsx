import { useState } from 'react';
import type { OrderId } from '#domain/shared/ids.ts';
import { useSubmission } from '../../../lib/use-submission.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmErasure } from '../../../ui/overlay/ConfirmErasure.tsx';
import { eraseGuest } from '../order-api.ts';

const CONSEQUENCES = [
  'Name, address, e-mail, telephone number and gift message go, of all orders that you made in this browser.',
  'The pages of these orders can no longer be opened, and your cart is emptied.',
  'What was sold, when and for how much stays in our books, as the law asks.',
];

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
  return (
    <ConfirmErasure
      title="Erase your personal data?"
      warning="This cannot be undone, by you or by us."
      consequences={CONSEQUENCES}
      keep="Keep my data"
      isBusy={submission.state === 'sending'}
      onClose={onClose}
      confirm={() => void submit(undefined)}
    >
      {submission.state === 'refused' && <Alert className="mt-5">{submission.message}</Alert>}
    </ConfirmErasure>
  );
};
