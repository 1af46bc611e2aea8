import { Check, Circle, CircleCheck, CircleDashed, Clock, Truck, Undo2, X, type LucideIcon } from 'lucide-react';
import { cx } from './cx.ts';

const NEUTRAL = 'bg-ash text-ash-deep';

/** Delivered is green, pending yellow, every other status grey. The icon tells them apart without colour. */
const looks: Readonly<Record<string, { readonly ground: string; readonly Icon: LucideIcon }>> = {
  delivered: { ground: 'bg-khus-wash text-khus-deep', Icon: Check },
  pending: { ground: 'bg-haldi text-haldi-deep', Icon: Clock },
  created: { ground: NEUTRAL, Icon: CircleDashed },
  confirmed: { ground: NEUTRAL, Icon: CircleCheck },
  shipped: { ground: NEUTRAL, Icon: Truck },
  cancelled: { ground: NEUTRAL, Icon: X },
  returned: { ground: NEUTRAL, Icon: Undo2 },
};

export const Badge = ({ status }: { readonly status: string }) => {
  const { ground, Icon } = looks[status] ?? { ground: NEUTRAL, Icon: Circle };
  return (
    <span className={cx('inline-flex h-7 items-center gap-1.5 rounded-xs px-2.5 text-xs font-medium', ground)}>
      <Icon className="size-3.5" strokeWidth={2} />
      {status.charAt(0).toUpperCase() + status.slice(1)}
    </span>
  );
};
