import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import { cancelRequested } from '../order-slice.ts';

type CancelOrderProps = {
  readonly id: string;
  readonly busy: boolean;
  /** What the server said to the last try. */
  readonly error: string | undefined;
};

/** Until it ships. When it is done the page no longer shows this, the dialog goes with it. */
export const CancelOrder = ({ id, busy, error }: CancelOrderProps) => {
  const dispatch = useDispatch();
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  return (
    <>
      <Button kind="quiet" size="lg" onClick={() => setOpen(true)}>
        Cancel order
      </Button>
      <Modal
        open={open}
        isBusy={busy}
        onOpenChange={setOpen}
        title="Cancel this order?"
        description={<p>Until it ships, an order can be cancelled at no cost. It cannot be taken up again: you would order anew.</p>}
        foot={
          <>
            <Button kind="outline" disabled={busy} onClick={() => setOpen(false)}>
              Keep order
            </Button>
            <Button busy={busy ? 'Cancelling...' : undefined} onClick={() => dispatch(cancelRequested({ id, reason: reason.trim() }))}>
              Cancel order
            </Button>
          </>
        }
      >
        <TextArea
          label="Reason"
          optional
          rows={3}
          maxLength={LONGEST_NOTE}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          className="mt-6"
        />
        {error !== undefined && <Alert className="mt-5">{error}</Alert>}
      </Modal>
    </>
  );
};
