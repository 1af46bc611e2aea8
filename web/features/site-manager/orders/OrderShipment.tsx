import { findShipmentProblems, mapShipment, shipmentLimits, type ShipmentField, type ShipmentTexts } from '#domain/order/shipment-texts.ts';
import { isUnreachable } from '#domain/order/view.ts';
import { FileLink } from '../../../ui/FileLink.tsx';
import { TextButton } from '../../../ui/TextLink.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { type FieldErrors, type FormField, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { useCorrectShipmentMutation } from '../admin-api.ts';
import type { AdminOrder } from '../admin-types.ts';
import { useNotify } from '../Notices.tsx';
import { useMay } from '../use-may.ts';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';

const fields = {
  courier: { label: 'Courier', type: 'text', hint: undefined },
  trackingNumber: { label: 'Tracking number', type: 'text', hint: undefined },
  trackingUrl: { label: 'Link to follow the parcel', type: 'url', hint: 'The courier’s page of this parcel, with https://' },
} as const satisfies Readonly<Record<ShipmentField, object>>;

const trimmed = (values: ShipmentTexts): ShipmentTexts => mapShipment((field) => values[field].trim());

export const noShipment = mapShipment(() => '');

export const findWrongShipment = (values: ShipmentTexts): FieldErrors => ({ ...findShipmentProblems(trimmed(values)) });

/** Returns what was typed, for the move to shipped. */
export const typedShipment = (values: ShipmentTexts): Partial<ShipmentTexts> =>
  Object.fromEntries(Object.entries(trimmed(values)).filter(([, text]) => text !== ''));

/** The boxes for courier, number and link. */
export const ShipmentFields = ({ field }: { readonly field: (name: ShipmentField) => FormField }) => (
  <>
    {(Object.keys(fields) as ShipmentField[]).map((name) => (
      <Field key={name} {...field(name)} {...fields[name]} optional maxLength={shipmentLimits[name]} autoComplete="off" />
    ))}
  </>
);

type ShipmentDialogProps = { readonly order: AdminOrder; readonly onClose: () => void };

export const ShipmentDialog = ({ order: { _id: id, orderNumber, shipment }, onClose }: ShipmentDialogProps) => {
  const notify = useNotify();
  const [correct] = useCorrectShipmentMutation();
  const { field, ...form } = useValidatedForm<ShipmentTexts>({
    defaultValues: mapShipment((name) => shipment?.[name] ?? ''),
    validate: findWrongShipment,
    send: async (values) => {
      await correct({ id, ...trimmed(values) }).unwrap();
      notify({ kind: 'success', message: `The shipment of ${orderNumber} is corrected` });
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Correct the shipment: ${orderNumber}`}
      description={<p>The shopper gets one mail with what stands here.</p>}
      action="Correct and tell"
      keep="Keep shipment"
      busy="Sending..."
      form={form}
      onClose={onClose}
    >
      <ShipmentFields field={field} />
    </FormDialog>
  );
};

type OrderShipmentProps = { readonly order: AdminOrder; readonly onCorrect: () => void };

/** Shows with whom a parcel travels; while it does, staff can correct it. */
export const OrderShipment = ({ order, onCorrect }: OrderShipmentProps) => {
  const { shipment, orderNumber, status } = order;
  const mayCorrect = useMay()('customers');
  if (!shipment) return null;
  const { courier, trackingNumber, trackingUrl } = shipment;
  const known = [courier, trackingNumber].filter((text) => text !== '').join(', ');
  const isOpen = mayCorrect && status === 'shipped' && !isUnreachable(order);
  if (known === '' && trackingUrl === '' && !isOpen) return null;
  return (
    <div className="border-t border-sandal/70 px-5 py-4 text-[0.875rem] leading-relaxed">
      <p className="wrap-anywhere">
        <span className="font-medium">Shipment:</span> {known || 'no courier or number'}
      </p>
      <div className="flex flex-wrap gap-x-6">
        {trackingUrl !== '' && (
          <FileLink name={`Track ${orderNumber}`} href={trackingUrl} className="min-h-11">
            Track
          </FileLink>
        )}
        {isOpen && (
          <TextButton aria-label={`Correct the shipment of ${orderNumber}`} onClick={onCorrect} size="sm">
            Correct
          </TextButton>
        )}
      </div>
    </div>
  );
};
