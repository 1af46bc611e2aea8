import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { pages } from '#domain/pages.ts';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { returnPolicy } from '#domain/order/return-policy.ts';
import type { CalendarDate } from '#domain/shared/calendar.ts';
import { shortDayText } from '../../../lib/dates.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import { RadioCard } from '../../../ui/form/RadioCard.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { returnRequested } from '../order-slice.ts';

type ReturnOrderProps = {
  readonly id: string;
  readonly lastDay: CalendarDate;
  readonly busy: boolean;
  /** What the server said to the last try. */
  readonly error: string | undefined;
};

const UNSAID = 'Please say whether a bottle was opened';

/** Within 14 days of delivery, by the rules of the policy, which are said before anything is sent. */
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
        onOpenChange={setOpen}
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
