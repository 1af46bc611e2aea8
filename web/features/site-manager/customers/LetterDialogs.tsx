import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { isOnItsWay, isUnderWay } from '#domain/order/rules.ts';
import { inWords } from '#domain/order/texts.ts';
import type { PaymentStatus } from '#domain/payment/rules.ts';
import { count, moneyText, numberWord } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { findMissing, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import { useNotify } from '../Notices.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { type Customer, type CustomerOrder, useEraseCustomerMutation, useExportCustomerMutation } from './customers-api.ts';

const HINT = 'Stands in the security log for good: write no name here.';

/** Calls `send` with the typed reason, which the server requires. */
const useReason = (send: (reason: string) => Promise<void>) => {
  const { field, ...form } = useValidatedForm<{ reason: string }>({
    defaultValues: { reason: '' },
    validate: (values) => findMissing(['reason'], values),
    send: async ({ reason }) => send(reason.trim()),
  });
  return { form, box: <TextArea {...field('reason')} label="Reason" rows={2} maxLength={LONGEST_NOTE} hint={HINT} /> };
};

type ExportDialogProps = { readonly customer: Customer; readonly onClose: () => void };

export const ExportDialog = ({ customer: { _id: id, name, guest }, onClose }: ExportDialogProps) => {
  const notify = useNotify();
  const [save] = useExportCustomerMutation();
  const { form, box } = useReason(async (reason) => {
    const file = await save({ id, reason }).unwrap();
    notify({ kind: 'success', message: `The data are in your downloads, as ${file}` });
    onClose();
  });
  return (
    <FormDialog
      title={`Export what we hold of ${name}`}
      description={
        <p>
          One file that programs can read:{' '}
          {guest
            ? 'the orders with this e-mail address, their invoices, messages and newsletter.'
            : 'account, sign-ins, carts, orders, invoices, messages and what the security log says.'}{' '}
          Send it to nobody but the person who asked, and delete it from this computer then.
        </p>
      }
      action="Export the data"
      keep="Not now"
      busy="Gathering..."
      form={form}
      onClose={onClose}
    >
      {box}
    </FormDialog>
  );
};

type EraseDialogProps = ExportDialogProps & { /** Called with the server's message. */ readonly onErased: (message: string) => void };

/** Names the open orders and their money first. While a parcel is on its way it only says so, since the server would refuse. */
export const EraseDialog = ({ customer, onErased, onClose }: EraseDialogProps) => {
  const { _id: id, name, guest, sums } = customer;
  const open = customer.orders.filter(({ status }) => isUnderWay(status));
  const onTheirWay = open.filter(({ status }) => isOnItsWay(status));
  const [erase] = useEraseCustomerMutation();
  const { form, box } = useReason(async (reason) => onErased(await erase({ id, reason }).unwrap()));
  const title = `Erase what we hold of ${name}`;
  if (onTheirWay.length > 0) return <MustWait title={title} orders={onTheirWay} onClose={onClose} />;
  return (
    <FormDialog
      title={title}
      description={
        <>
          {open.length > 0 && (
            <Alert kind="warning">
              {open.map((order) => (
                <span key={order._id} className="block not-first:mt-2">
                  {describeCancelling(order)}
                </span>
              ))}
            </Alert>
          )}
          <p>
            {guest
              ? 'Name, addresses, telephone number and messages go, everywhere and for good. All orders made in the same browser go with them.'
              : 'The account, name, addresses, telephone number, messages and reviews go, everywhere and for good.'}{' '}
            {describeBooks(sums.orders)} It cannot be taken back.
          </p>
        </>
      }
      action={nameDeed(open)}
      kind="destructive"
      keep="Keep the data"
      busy="Erasing..."
      form={form}
      onClose={onClose}
    >
      {box}
    </FormDialog>
  );
};

type MustWaitProps = { readonly title: string; readonly orders: readonly CustomerOrder[]; readonly onClose: () => void };

const MustWait = ({ title, orders, onClose }: MustWaitProps) => (
  <Modal
    open
    title={title}
    onClose={onClose}
    description={
      <Alert kind="warning">
        {inWords(orders.map(({ orderNumber }) => orderNumber))} {orders.length === 1 ? 'is on its' : 'are on their'} way and{' '}
        {orders.length === 1 ? 'needs its' : 'need their'} address, so erasing must wait. Erase the data once the delivery is noted.
      </Alert>
    }
    foot={
      <Button kind="outline" onClick={onClose}>
        Keep the data
      </Button>
    }
  />
);

const PAID: ReadonlySet<PaymentStatus> = new Set(['paid', 'partly_refunded', 'refunding']);

/** Says what becomes of an open order and of its money. */
const describeCancelling = ({ orderNumber, total, paymentStatus }: CustomerOrder): string => {
  const money = (words: string): string => `${orderNumber} is open, ${moneyText(total)} ${words}.`;
  if (PAID.has(paymentStatus))
    return `${money('paid')} It is cancelled with the data, and what is left of the payment goes back the way it came.`;
  if (paymentStatus === 'refunded') return `${money('refunded before')} It is cancelled with the data.`;
  return `${money(paymentStatus === 'due' ? 'not paid yet' : 'on delivery')} It is cancelled with the data.`;
};

const describeBooks = (orders: number): string => {
  if (orders === 0) return '';
  return `${numberWord(orders)} ${orders === 1 ? 'order stays' : 'orders stay'} in the books as figures, with nobody’s name.`;
};

const nameDeed = (open: readonly CustomerOrder[]): string => {
  const [first, ...others] = open;
  if (!first) return 'Erase the data';
  return `Erase and cancel ${others.length === 0 ? first.orderNumber : count(open.length, 'order')}`;
};
