/** `created` is a checkout in progress; with `pending` it becomes a placed order. */
export const orderStatuses = ['created', 'pending', 'confirmed', 'shipped', 'delivered', 'cancelled', 'returned'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The allowed transitions between statuses. */
export const transitions: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  created: ['pending', 'cancelled'],
  pending: ['confirmed', 'cancelled'],
  confirmed: ['shipped', 'cancelled'],
  shipped: ['delivered'],
  delivered: ['returned'],
  cancelled: [],
  returned: [],
};

export const mayBecome = (from: OrderStatus, to: OrderStatus): boolean => transitions[from].includes(to);

/** Placed, and neither delivered nor cancelled: until then the address is needed. */
export const isUnderWay = (status: OrderStatus): boolean => status === 'pending' || status === 'confirmed' || status === 'shipped';

/** Statuses that staff may set; only shoppers create and place orders. */
export type StaffStatus = Exclude<OrderStatus, 'created' | 'pending'>;

const isForStaff = (status: OrderStatus): status is StaffStatus => status !== 'created' && status !== 'pending';

/** The statuses that staff may set next, the usual one before the exception. */
export const nextForStaff = (status: OrderStatus): readonly StaffStatus[] => transitions[status].filter(isForStaff);
