import { useId } from 'react';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { type OrderStatus, orderStatuses, type StaffStatus } from '#domain/order/rules.ts';
import type { ShipmentTexts } from '#domain/order/shipment-texts.ts';
import { isUnreachable, type OrderView } from '#domain/order/view.ts';
import { states } from '#domain/shared/states.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import { momentText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/format.ts';
import { goesBackText } from '../../../lib/payment-text.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import { useNotify } from '../Notices.tsx';
import { useMoveOrderMutation } from '../admin-api.ts';
import { findWrongShipment, noShipment, ShipmentFields, typedShipment } from './OrderShipment.tsx';
import { staffTransitions } from './order-transitions.ts';

/** The current status of an order whose change was refused, and who set it when. */
type StaleTransition = { readonly status: OrderStatus; readonly by: string; readonly at: Instant };

const textAt = (value: unknown, key: string): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === 'string' ? found : undefined;
};

type MoveError = ReturnType<typeof useMoveOrderMutation>[1]['error'];

/** Returns undefined when the refusal had another reason. */
const parseStaleTransition = (error: MoveError): StaleTransition | undefined => {
  const { code, current, changedBy }: Readonly<Record<string, unknown>> = (error && 'refusal' in error && error.refusal) || {};
  const status = orderStatuses.find((each) => each === textAt(current, 'status'));
  const [by, at] = [textAt(changedBy, 'name'), textAt(changedBy, 'at')];
  if (code !== 'illegal_transition' || !status || by === undefined || at === undefined) return undefined;
  return { status, by, at: instant(at) };
};

const stateOptions = [{ value: '', text: 'Which state?' }, ...states.map((value) => ({ value, text: value }))];

const deedText = ({ payment: { refundable } }: OrderView, to: StaffStatus): string =>
  to === 'cancelled' && refundable > 0 ? `Cancel and refund ${moneyText(refundable)}` : staffTransitions[to].deed;

/** The first sentence of a dialog about money. What came goes back, even if it was less than the order costs. */
const whereMoneyGoes = ({ payment }: OrderView): string => {
  if (payment.refundable > 0) return goesBackText(payment.refundable, payment);
  switch (payment.status) {
    case 'refunding':
      return 'Its refund is under way already.';
    case 'refunded':
      return 'What was paid for it went back already.';
    default:
      return 'Nothing was paid for it, so that nothing goes back.';
  }
};

type TransitionDialogProps = { readonly order: OrderView; readonly to: StaffStatus; readonly onClose: () => void };

export const TransitionDialog = ({ order, to, onClose }: TransitionDialogProps) => {
  const formId = useId();
  const notify = useNotify();
  const [send, { isLoading: isMoving, error }] = useMoveOrderMutation();
  const stale = parseStaleTransition(error);
  const isStale = stale !== undefined;
  const isMailed = staffTransitions[to].mailed && !isUnreachable(order);
  const { field, submit, message } = useValidatedForm<ShipmentTexts & { note: string; placeOfSupply?: string }>({
    defaultValues: { ...noShipment, note: '' },
    validate: findWrongShipment,
    send: async ({ note, placeOfSupply, ...shipment }) => {
      const supply = placeOfSupply && { placeOfSupply };
      await send({ id: order._id, status: to, note: note.trim(), ...supply, ...typedShipment(shipment) }).unwrap();
      notify({ kind: 'success', message: `${order.orderNumber} is now ${to}` });
      onClose();
    },
  });
  return (
    <Modal
      open
      isBusy={isMoving}
      onClose={onClose}
      title={`${staffTransitions[to].deed}: ${order.orderNumber}`}
      description={
        <p>
          {isStale
            ? 'Nothing was changed.'
            : [to === 'cancelled' && whereMoneyGoes(order), staffTransitions[to].meaning, isMailed && 'The shopper is told by e-mail.']
                .filter(Boolean)
                .join(' ')}
        </p>
      }
      foot={
        isStale ? (
          <Button onClick={onClose}>Show the order as it is</Button>
        ) : (
          <>
            <Button kind="quiet" disabled={isMoving} onClick={onClose}>
              {staffTransitions[to].keep}
            </Button>
            <Button
              type="submit"
              kind={to === 'cancelled' ? 'destructive' : 'primary'}
              form={formId}
              busy={isMoving ? 'Saving...' : undefined}
            >
              {deedText(order, to)}
            </Button>
          </>
        )
      }
    >
      {message !== undefined && <Alert className="mt-5">{message}</Alert>}
      {stale && <AsItIs {...stale} />}
      {!isStale && (
        <form id={formId} noValidate onSubmit={submit} className="mt-5 space-y-5">
          {to === 'shipped' && order.placeOfSupply === null && (
            <SelectField
              {...field('placeOfSupply')}
              label="State of delivery"
              optional
              options={stateOptions}
              hint="For the invoice. If you name none, it takes the seller’s state."
            />
          )}
          {to === 'shipped' && <ShipmentFields field={field} />}
          {!isUnreachable(order) && (
            <TextArea
              {...field('note')}
              label="Note"
              optional
              rows={3}
              maxLength={LONGEST_NOTE}
              hint="Stands in the order’s history, for the shopper too."
            />
          )}
        </form>
      )}
    </Modal>
  );
};

const AsItIs = ({ status, by, at }: StaleTransition) => (
  <p className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-2 text-[0.9375rem]">
    It is now <Badge status={status} />
    <span className="text-clove">
      {by}, {momentText(at)}
    </span>
  </p>
);
