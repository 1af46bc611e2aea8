import { createContext, use } from 'react';
import { hasDuty, type Duty, type StaffRole } from '#domain/staff/duties.ts';

export type Own = {
  readonly id: string;
  readonly roles: readonly StaffRole[];
  /** Called when the member has changed their own rights. */
  readonly onChanged?: (() => void) | undefined;
};

/** The signed-in member. A page that is not told who it is shows no tools. */
export const OwnAccount = createContext<Own>({ id: '', roles: [] });

/** Returns whether the member has a duty. The server checks every call; this hides what it would refuse. */
export const useMay = (): ((duty: Duty) => boolean) => {
  const { roles } = use(OwnAccount);
  return (duty) => hasDuty(roles, duty);
};
