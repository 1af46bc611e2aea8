import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { useDispatch } from 'react-redux';
import { ERASED_OF_AN_ORDER } from '#domain/order/texts.ts';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { returnPolicy } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import { pages } from '#domain/site/pages.ts';
import type { CalendarDate } from '#domain/shared/time.ts';
import { shortDayText } from '../../../lib/dates.ts';
import { describeErasure } from '../../../lib/erasure-text.ts';
import { type CallError, getMessage } from '../../../lib/http/api.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { RadioCard } from '../../../ui/form/RadioCard.tsx';
import { findMissing, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { ConfirmErasure } from '../../../ui/overlay/ConfirmErasure.tsx';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import type { Failure } from '../order-failure.ts';
import { useEraseGuestMutation } from '../order-api.ts';
import { cancelRequested, returnRequested } from '../order-slice.ts';

type Attempt = { readonly busy: boolean; readonly failure: Failure | null };

/** Shows a refusal that arrives in the store, because a saga sends the form. */
const useRefusal = (failure: Failure | null, refuse: (refusal: CallError) => void): void => {
  const show = useEffectEvent(refuse);
  useEffect(() => {
    if (failure) show({ status: undefined, ...failure });
  }, [failure]);
};

type ActionProps = Pick<Attempt, 'busy'> & {
  readonly title: string;
  readonly question: string;
  readonly description: ReactNode;
  /** The text of the button while the form is sent. */
  readonly sending: string;
  readonly form: Pick<ReturnType<typeof useValidatedForm>, 'submit' | 'errors' | 'message'>;
  readonly children: ReactNode;
};

/** A button that opens a dialog with a form. A refusal that belongs to no field is shown below it. */
const Action = ({ title, question, description, sending, busy, form: { submit, errors, message }, children }: ActionProps) => {
  const [open, setOpen] = useState(false);
  const formId = useId();
  const close = (): void => setOpen(false);
  return (
    <>
      <Button kind="quiet" size="lg" onClick={() => setOpen(true)}>
        {title}
      </Button>
      <Modal
        open={open}
        isBusy={busy}
        onClose={close}
        title={question}
        description={description}
        foot={
          <>
            <Button kind="outline" disabled={busy} onClick={close}>
              Keep order
            </Button>
            <Button type="submit" form={formId} busy={busy ? sending : undefined}>
              {title}
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={submit}>
          {children}
        </form>
        {message !== undefined && Object.keys(errors).length === 0 && <Alert className="mt-5">{message}</Alert>}
      </Modal>
    </>
  );
};

type ReturnOrderProps = Attempt & { readonly id: string; readonly lastDay: CalendarDate };
type ReturnValues = { readonly opened: 'yes' | 'no' | null; readonly reason: string };

/** Offered within 14 days of delivery. It shows the rules of the return policy before anything is sent. */
export const ReturnOrder = ({ id, lastDay, busy, failure }: ReturnOrderProps) => {
  const dispatch = useDispatch();
  const { field, refuse, ...form } = useValidatedForm<ReturnValues>({
    validate: (values) => ({
      ...(values.opened ? {} : { opened: 'Please say whether a bottle was opened' }),
      ...findMissing(['reason'], values),
    }),
    send: ({ opened, reason }) => void dispatch(returnRequested({ id, reason: reason.trim(), opened: opened === 'yes' })),
  });
  useRefusal(failure, refuse);
  const { error: unsaid, ...opened } = field('opened');
  const description = <Rules lastDay={lastDay} />;
  return (
    <Action title="Return order" question="Return this order?" description={description} sending="Sending..." busy={busy} form={form}>
      <fieldset className="mt-6">
        <legend className="text-[0.875rem] font-medium">Was a bottle opened?</legend>
        <div className="mt-2 grid gap-3 sm:grid-cols-2">
          <RadioCard {...opened} value="no" label="No, all are sealed" />
          <RadioCard {...opened} value="yes" label="Yes, at least one" />
        </div>
        {unsaid !== undefined && <Alert className="mt-3">{unsaid}</Alert>}
      </fieldset>
      <TextArea {...field('reason')} label="Reason" required rows={3} maxLength={LONGEST_NOTE} className="mt-6" />
    </Action>
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

type CancelOrderProps = Attempt & { readonly id: string; readonly isPaid: boolean };

/** Offered until the order ships. After success the page no longer renders it. */
export const CancelOrder = ({ id, isPaid, busy, failure }: CancelOrderProps) => {
  const dispatch = useDispatch();
  const { field, refuse, ...form } = useValidatedForm<{ reason: string }>({
    validate: () => ({}),
    send: ({ reason }) => void dispatch(cancelRequested({ id, reason: reason.trim() })),
  });
  useRefusal(failure, refuse);
  const description = (
    <>
      <p>Until it ships, an order can be cancelled at no cost. It cannot be taken up again: you would order anew.</p>
      {isPaid && <p>The money that you paid goes back the way it came.</p>}
    </>
  );
  return (
    <Action title="Cancel order" question="Cancel this order?" description={description} sending="Cancelling..." busy={busy} form={form}>
      <TextArea {...field('reason')} label="Reason" optional rows={3} maxLength={LONGEST_NOTE} className="mt-6" />
    </Action>
  );
};

const CONSEQUENCES = [
  `${ERASED_OF_AN_ORDER} go, of all orders that you made in this browser.`,
  'Those that have not shipped are cancelled, and what was paid for them goes back.',
  'The pages of these orders can no longer be opened, and your cart is emptied.',
  'What was sold, when and for how much stays in our books, as the law asks.',
];

type EraseGuestProps = { readonly order: OrderView; readonly onErased: (message: string) => void };

/** Offered to a guest. It lists the consequences, first those for this order, and asks for confirmation unless its parcel is on its way. */
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

const EraseDialog = ({ order, onErased, onClose }: EraseGuestProps & { readonly onClose: () => void }) => {
  const [send, { isLoading, error }] = useEraseGuestMutation();
  const { isPossible, ...words } = describeErasure([order], CONSEQUENCES);
  const erase = async (): Promise<void> => {
    const { data: message } = await send(order._id);
    if (message !== undefined) onErased(message);
  };
  return (
    <ConfirmErasure
      title="Erase your personal data?"
      {...words}
      keep="Keep my data"
      isBusy={isLoading}
      onClose={onClose}
      confirm={isPossible ? () => void erase() : undefined}
    >
      {error && <Alert className="mt-5">{getMessage(error)}</Alert>}
    </ConfirmErasure>
  );
};
