/** A member of the staff has any number of roles. `owner` covers what every other role does, and the staff. */
export const staffRoles = ['owner', 'catalogue', 'orders', 'money', 'auditor'] as const;
export type StaffRole = (typeof staffRoles)[number];

export const roleTitles: Readonly<Record<StaffRole, string>> = {
  owner: 'Owner',
  catalogue: 'Catalogue',
  orders: 'Orders',
  money: 'Money',
  auditor: 'Auditor',
};

/**
 * Which roles do what. The routes of the API and the panels of Site Manager both name a duty, so a screen shows what its role may do. Shoppers'
 * addresses are in `orders` and `customers`, which `catalogue` has neither of.
 */
export const duties = {
  products: ['owner', 'catalogue'],
  /** Moves orders, answers messages, handles returns and reviews, prints papers. */
  customers: ['owner', 'orders'],
  /** Reads orders, and changes nothing. */
  orders: ['owner', 'orders', 'money', 'auditor'],
  /** Reads every invoice and credit note. */
  invoices: ['owner', 'money', 'auditor'],
  money: ['owner', 'money'],
  /** Sees figures and subscribers. */
  figures: ['owner', 'catalogue', 'orders', 'money'],
  audit: ['owner', 'auditor'],
  staff: ['owner'],
} as const satisfies Readonly<Record<string, readonly StaffRole[]>>;

export type Duty = keyof typeof duties;

export const hasDuty = (roles: readonly StaffRole[], duty: Duty): boolean => {
  const allowed: readonly StaffRole[] = duties[duty];
  return roles.some((role) => allowed.includes(role));
};

/** Returns these roles once each, in the order of `staffRoles`. */
export const sortRoles = (roles: readonly StaffRole[]): readonly StaffRole[] => staffRoles.filter((role) => roles.includes(role));
