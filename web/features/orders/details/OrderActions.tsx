import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { returnPolicy } from '#domain/order/rules.ts';
import { pages } from '#domain/site/pages.ts';
import type { CalendarDate } from '#domain/shared/time.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { shortDayText } from '../../../lib/dates.ts';
import { messageOf } from '../../../lib/http/api.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { RadioCard } from '../../../ui/form/RadioCard.tsx';
import { ConfirmErasure } from '../../../ui/overlay/ConfirmErasure.tsx';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import { useEraseGuestMutation } from '../order-api.ts';
import { cancelRequested, returnRequested } from '../order-slice.ts';

type ReturnOrderProps = {
  readonly id: string;
  readonly lastDay: CalendarDate;
  readonly busy: boolean;
  /** The server's refusal of the last attempt. */
  readonly error: string | undefined;
};

const UNSAID = 'Please say whether a bottle was opened';

/** Offered within 14 days of delivery, with the rules of the policy before anything is sent. */
export const ReturnOrder = ({ id, lastDay, busy, error }: ReturnOrderProps) => {
  const dispatch = useDispatch();
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const [opened, setOpened] = useState<boolean>();
  const [tried, setTried] = useState(false);
  const isBlank = reason.trim() === '';
  const send = (): void => {
    setTried(true);
    if (opened !== undefined && !isBlank) dispatch(returnRequested({ id, reason: reason.trim(), opened }));
  };
  const problem = tried && opened === undefined ? UNSAID : error;
  return (
    <>
      <Button kind="quiet" size="lg" onClick={() => setOpen(true)}>
        Return order
      </Button>
      <Modal
        open={open}
        isBusy={busy}
        onClose={() => setOpen(false)}
        title="Return this order?"
        description={<Rules lastDay={lastDay} />}
        foot={
          <>
            <Button kind="outline" disabled={busy} onClick={() => setOpen(false)}>
              Keep order
            </Button>
            <Button busy={busy ? 'Sending...' : undefined} onClick={send}>
              Return order
            </Button>
          </>
        }
      >
        <Opened value={opened} onChange={setOpened} />
        <TextArea
          label="Reason"
          required
          error={tried && isBlank ? 'Required' : undefined}
          rows={3}
          maxLength={LONGEST_NOTE}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          className="mt-6"
        />
        {problem !== undefined && <Alert className="mt-5">{problem}</Alert>}
      </Modal>
    </>
  );
};

const Rules = ({ lastDay }: { readonly lastDay: CalendarDate }) => (
  <>
    <p>
      {returnPolicy.unopened} For this order, that is until <span className="font-medium text-ink">{shortDayText(lastDay)}</span>.
    </p>
    <p>You pay the way back. The refund goes to the original payment method within 7–10 business days of the bottle reaching us.</p>
    <TextLink to={pages.returnPolicy}>Read the return policy</TextLink>
  </>
);

type OpenedProps = { readonly value: boolean | undefined; readonly onChange: (opened: boolean) => void };

const Opened = ({ value, onChange }: OpenedProps) => (
  <fieldset className="mt-6">
    <legend className="text-[0.875rem] font-medium">Was a bottle opened?</legend>
    <div className="mt-2 grid gap-3 sm:grid-cols-2">
      <RadioCard name="opened" label="No, all are sealed" checked={value === false} onChange={() => onChange(false)} />
      <RadioCard name="opened" label="Yes, at least one" checked={value === true} onChange={() => onChange(true)} />
    </div>
  </fieldset>
);

type CancelOrderProps = {
  readonly id: string;
  readonly isPaid: boolean;
  readonly busy: boolean;
  /** The server's refusal of the last attempt. */
  readonly error: string | undefined;
};

/** Offered until the order ships. On success the page no longer renders this. */
export const CancelOrder = ({ id, isPaid, busy, error }: CancelOrderProps) => {
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
        onClose={() => setOpen(false)}
        title="Cancel this order?"
        description={
          <>
            <p>Until it ships, an order can be cancelled at no cost. It cannot be taken up again: you would order anew.</p>
            {isPaid && <p>The money that you paid goes back the way it came.</p>}
          </>
        }
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

const CONSEQUENCES = [
  'Name, address, e-mail, telephone number and gift message go, of all orders that you made in this browser.',
  'The pages of these orders can no longer be opened, and your cart is emptied.',
  'What was sold, when and for how much stays in our books, as the law asks.',
];

type EraseGuestProps = { readonly id: OrderId; readonly onErased: (message: string) => void };

/** For a guest whose orders are closed. Confirms once more, listing the consequences. */
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
  const [send, { isLoading, error }] = useEraseGuestMutation();
  const erase = async (): Promise<void> => {
    const { data: message } = await send(id);
    if (message !== undefined) onErased(message);
  };
  return (
    <ConfirmErasure
      title="Erase your personal data?"
      warning="This cannot be undone, by you or by us."
      consequences={CONSEQUENCES}
      keep="Keep my data"
      isBusy={isLoading}
      onClose={onClose}
      confirm={() => void erase()}
    >
      {error && <Alert className="mt-5">{messageOf(error)}</Alert>}
    </ConfirmErasure>
  );
};
