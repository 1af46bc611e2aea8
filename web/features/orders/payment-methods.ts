import { Banknote, CreditCard, type LucideIcon } from 'lucide-react';
import type { PaymentMethod } from '#domain/order/events.ts';

type Method = { readonly label: string; readonly detail: string; readonly icon: LucideIcon };

export const methods: Readonly<Record<PaymentMethod, Method>> = {
  COD: { label: 'Cash on Delivery (COD)', detail: 'Pay the courier when the parcel arrives.', icon: Banknote },
  Prepaid: { label: 'Prepaid', detail: 'Pay online by UPI or card, once the order is placed.', icon: CreditCard },
};

/** Returns whether the document says that this shop has no payment gateway (api/site/shell.ts). */
export const isPrepaidMissing = (): boolean => document.querySelector('meta[name=prepaid][content=unavailable]') !== null;

/** Returns how many minutes an order waits for its payment, which the document says. */
export const findPaymentMinutes = (): number | undefined => {
  const minutes = document.querySelector<HTMLMetaElement>('meta[name=payment-minutes]')?.content;
  return minutes === undefined ? undefined : Number(minutes);
};
