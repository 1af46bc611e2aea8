/** Decisions, section 3. `created` is a checkout under way; with `pending` it becomes an order that the shopper has. */
export const orderStatuses = ['created', 'pending', 'confirmed', 'shipped', 'delivered', 'cancelled', 'returned'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** What an order may become next. */
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

/** Placed, and neither with its shopper nor called off: until then it needs its address. */
export const isUnderWay = (status: OrderStatus): boolean => status === 'pending' || status === 'confirmed' || status === 'shipped';

/** States that the shop's staff may set; an order is created and placed by its shopper alone. */
export type StaffStatus = Exclude<OrderStatus, 'created' | 'pending'>;

const isForStaff = (status: OrderStatus): status is StaffStatus => status !== 'created' && status !== 'pending';

/** What the staff may make of an order next, the way on before the way out. */
export const nextForStaff = (status: OrderStatus): readonly StaffStatus[] => transitions[status].filter(isForStaff);
