import type { StaffStatus } from '#domain/order/status.ts';

type Transition = {
  /** On the button. */
  readonly action: string;
  /** What the shopper hears, or what becomes of the order. */
  readonly meaning: string;
};

/** What the staff may do with an order, by the state that it leads to. */
export const transitions: Readonly<Record<StaffStatus, Transition>> = {
  confirmed: { action: 'Confirm', meaning: 'The order is accepted and will be packed.' },
  shipped: { action: 'Mark shipped', meaning: 'The parcel has left the house. From here on the order cannot be cancelled.' },
  delivered: { action: 'Mark delivered', meaning: 'The parcel has arrived. The 14 days for a return begin.' },
  cancelled: { action: 'Cancel', meaning: 'The order will not be sent, and no longer counts among the sales.' },
  returned: { action: 'Mark returned', meaning: 'The parcel came back. The order no longer counts among the sales.' },
};

/** What leads out of the usual way is not offered as loudly as what leads on. */
export const isWayOut = (status: StaffStatus): boolean => status === 'cancelled' || status === 'returned';
