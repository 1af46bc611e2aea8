import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { useDispatch } from 'react-redux';
import { ERASED_OF_AN_ORDER } from '#domain/order/texts.ts';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import type { OrderView } from '#domain/order/view.ts';
import { describeErasure } from '../../../lib/erasure-text.ts';
import { moneyText } from '../../../lib/format.ts';
import { type CallError, getMessage } from '../../../lib/http/api.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TextButton } from '../../../ui/TextLink.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { ConfirmErasure } from '../../../ui/overlay/ConfirmErasure.tsx';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import type { Failure } from '../order-failure.ts';
import { useEraseGuestMutation } from '../order-api.ts';
import { cancelRequested } from '../order-slice.ts';

export type Attempt = { readonly busy: boolean; readonly failure: Failure | null };

/** Shows a refusal that arrives in the store, because a saga sends the form. */
export const useRefusal = (failure: Failure | null, refuse: (refusal: CallError) => void): void => {
  const show = useEffectEvent(refuse);
  useEffect(() => {
    if (failure) show({ status: undefined, ...failure });
  }, [failure]);
};

type ActionProps = Pick<Attempt, 'busy'> & {
  readonly title: string;
  /** The text of the button that sends the form; by default the title. */
  readonly deed?: string;
  readonly question: string;
  /** Marks what cannot be taken back. */
  readonly isFinal?: boolean;
  readonly description: ReactNode;
  /** The text of the button while the form is sent. */
  readonly sending: string;
  readonly form: Pick<ReturnType<typeof useValidatedForm>, 'submit' | 'errors' | 'message'>;
  readonly children: ReactNode;
};

/** A button that opens a dialog with a form. A refusal that belongs to no field is shown below it. */
export const Action = ({
  title,
  deed = title,
  question,
  isFinal = false,
  description,
  sending,
  busy,
  form: { submit, errors, message },
  children,
}: ActionProps) => {
  const [open, setOpen] = useState(false);
  const formId = useId();
  const close = (): void => setOpen(false);
  return (
    <>
      <TextButton onClick={() => setOpen(true)}>{title}</TextButton>
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
            <Button type="submit" kind={isFinal ? 'destructive' : 'primary'} form={formId} busy={busy ? sending : undefined}>
              {deed}
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

type CancelOrderProps = Attempt & { readonly order: OrderView };

/** Says what is paid and not on its way back yet; undefined if it is nothing. */
const findRefund = ({ payment: { refundable } }: OrderView): string | undefined => (refundable > 0 ? moneyText(refundable) : undefined);

/** Offered until the order ships. After success the page no longer renders it. */
export const CancelOrder = ({ order, busy, failure }: CancelOrderProps) => {
  const dispatch = useDispatch();
  const { field, refuse, ...form } = useValidatedForm<{ reason: string }>({
    validate: () => ({}),
    send: ({ reason }) => void dispatch(cancelRequested({ id: order._id, reason: reason.trim() })),
  });
  useRefusal(failure, refuse);
  const refund = findRefund(order);
  const description = (
    <>
      {refund !== undefined && <p>{refund} goes back the way it came, usually within 7–10 business days.</p>}
      <p>Until it ships, an order can be cancelled at no cost. It cannot be taken up again: you would order anew.</p>
    </>
  );
  const deed = refund === undefined ? 'Cancel order' : `Cancel and refund ${refund}`;
  const words = { title: 'Cancel order', deed, question: 'Cancel this order?', sending: 'Cancelling...', isFinal: true };
  return (
    <Action {...words} description={description} busy={busy} form={form}>
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
