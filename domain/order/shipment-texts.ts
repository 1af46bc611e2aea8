import { isLost } from '../event-store.ts';
import { NO_TEXT, personalText, type PersonalText } from '../shared/text.ts';
import type { Instant } from '../shared/time.ts';

/** What staff type about a parcel: each text has at most so many characters. */
export const shipmentLimits = { courier: 100, trackingNumber: 100, trackingUrl: 2_000 } as const;
export type ShipmentField = keyof typeof shipmentLimits;
export type ShipmentTexts<Text = string> = Readonly<Record<ShipmentField, Text>>;

/** The texts are empty if staff typed none. After an erasure they read `erased`. */
export type Shipment = ShipmentTexts<PersonalText> & { readonly shippedAt: Instant };

export const shipmentFields = Object.keys(shipmentLimits) as readonly ShipmentField[];

export const mapShipment = <Text>(make: (field: ShipmentField) => Text): ShipmentTexts<Text> =>
  Object.fromEntries(shipmentFields.map((field) => [field, make(field)])) as ShipmentTexts<Text>;

/** An event lists only the texts that were typed. */
export const typedOf = (texts: Partial<ShipmentTexts>): Partial<ShipmentTexts<PersonalText>> =>
  Object.fromEntries(shipmentFields.flatMap((field) => (texts[field] ? [[field, personalText(texts[field])]] : [])));

export const completeShipment = (texts: Partial<ShipmentTexts<PersonalText>>): ShipmentTexts<PersonalText> =>
  mapShipment((field) => texts[field] ?? NO_TEXT);

/** Nothing that browsers read otherwise than people do: no name or password before an `@`, no backslash, no blank or invisible character. */
const WEB_ADDRESS = /^https?:\/\/[^\p{C}\s/?#\\@]+(?:[/?#][^\p{C}\s\\]*)?$/iu;

export const NOT_A_LINK = 'Please enter a link that begins with https:// or http://';

/** Says what is wrong with each text; empty if nothing is. */
export const findShipmentProblems = (texts: ShipmentTexts): Partial<ShipmentTexts> => {
  const tooLong = shipmentFields.filter((field) => texts[field].length > shipmentLimits[field]);
  return {
    ...(texts.trackingUrl !== '' && !WEB_ADDRESS.test(texts.trackingUrl) && { trackingUrl: NOT_A_LINK }),
    ...Object.fromEntries(tooLong.map((field) => [field, `Please use at most ${shipmentLimits[field]} characters`])),
  };
};

/** The JSON for clients. An erased link is none. */
export const viewShipment = (shipment: Shipment): Shipment =>
  isLost(shipment.trackingUrl) ? { ...shipment, trackingUrl: NO_TEXT } : shipment;
