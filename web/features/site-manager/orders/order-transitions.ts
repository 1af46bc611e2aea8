import type { StaffStatus } from '#domain/order/rules.ts';

type Transition = { readonly action: string; readonly meaning: string; readonly mailed: boolean };

export const staffTransitions: Readonly<Record<StaffStatus, Transition>> = {
  confirmed: { action: 'Confirm', meaning: 'The order is accepted and will be packed.', mailed: false },
  shipped: { action: 'Mark shipped', meaning: 'The parcel has left the house. From here on the order cannot be cancelled.', mailed: true },
  delivered: { action: 'Mark delivered', meaning: 'The parcel has arrived. The 14 days for a return begin.', mailed: true },
  cancelled: { action: 'Cancel', meaning: 'The order will not be sent, and no longer counts among the sales.', mailed: true },
  returned: { action: 'Mark returned', meaning: 'The parcel came back. The order no longer counts among the sales.', mailed: false },
};

/** Returns whether a transition ends the order early. Such transitions are secondary buttons. */
export const isWayOut = (status: StaffStatus): boolean => status === 'cancelled' || status === 'returned';
