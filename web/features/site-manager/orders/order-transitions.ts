import type { StaffStatus } from '#domain/order/rules.ts';

type Transition = {
  readonly action: string;
  /** Names the deed where the order is not beside it. */
  readonly deed: string;
  readonly keep: string;
  readonly meaning: string;
  readonly mailed: boolean;
};

export const staffTransitions: Readonly<Record<StaffStatus, Transition>> = {
  confirmed: {
    action: 'Confirm',
    deed: 'Confirm order',
    keep: 'Leave pending',
    meaning: 'The order is accepted and will be packed.',
    mailed: true,
  },
  shipped: {
    action: 'Mark shipped',
    deed: 'Mark shipped',
    keep: 'Leave unshipped',
    meaning: 'The parcel has left the house. From here on the order cannot be cancelled.',
    mailed: true,
  },
  delivered: {
    action: 'Mark delivered',
    deed: 'Mark delivered',
    keep: 'Leave on its way',
    meaning: 'The parcel has arrived. The 14 days for a return begin.',
    mailed: true,
  },
  cancelled: {
    action: 'Cancel',
    deed: 'Cancel order',
    keep: 'Keep order',
    meaning: 'The order will not be sent, and no longer counts among the sales.',
    mailed: true,
  },
};

/** Returns whether a transition ends the order early. Such transitions are secondary buttons. */
export const isWayOut = (status: StaffStatus): boolean => status === 'cancelled';
