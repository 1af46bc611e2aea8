import type { ReturnStatus } from '#domain/order/rules.ts';
import type { ReturnView } from '#domain/order/view.ts';
import { dayText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/format.ts';
import { TextLink } from '../../../ui/TextLink.tsx';
import type { AdminOrder } from '../admin-types.ts';
import { useMay } from '../use-may.ts';

export const returnWords: Readonly<Record<ReturnStatus, string>> = {
  requested: 'To decide',
  accepted: 'To receive',
  refused: 'Refused',
  received: 'Received',
};

const deeds = { requested: 'Decide', accepted: 'Receive' } as const;

/** Returns the newest return that waits for staff, and what they do with it; undefined if none does. */
export const findReturnDeed = ({ returns }: AdminOrder): { readonly action: string; readonly to: string } | undefined => {
  const open = returns.findLast(({ status }) => status in deeds);
  return open && { action: deeds[open.status as keyof typeof deeds], to: linkTo(open) };
};

/** What waits stands in a short list. */
const linkTo = ({ _id, status }: ReturnView): string => {
  return `?${new URLSearchParams({ panel: 'returns', status: status in deeds ? status : 'all', open: _id })}`;
};

const describe = ({ items }: AdminOrder, { lines, value }: ReturnView): string => {
  const nameOf = (id: string): string => items.find(({ product }) => product._id === id)?.product.name ?? id;
  const bottles = lines.map(({ productId, quantity }) => `${quantity} × ${nameOf(productId)}`).join(', ');
  return `${bottles}, ${moneyText(value)}`;
};

/** The returns of an order, the newest first; each leads to where it is decided and received. */
export const OrderReturns = ({ order }: { readonly order: AdminOrder }) => {
  const mayHandle = useMay()('customers');
  if (order.returns.length === 0) return null;
  return (
    <ul aria-label={`Returns of ${order.orderNumber}`} className="border-t border-sandal/70 px-5 py-4 text-[0.875rem] leading-relaxed">
      {order.returns.toReversed().map((each) => (
        <li key={each._id} className="flex flex-wrap items-center gap-x-5">
          <p className="min-w-0 wrap-anywhere">
            <span className="font-medium">Return of {dayText(each.requestedAt)}:</span> {describe(order, each)}
          </p>
          {mayHandle ? (
            <TextLink to={linkTo(each)} size="sm">
              {returnWords[each.status]}
            </TextLink>
          ) : (
            <span className="text-clove">{returnWords[each.status]}</span>
          )}
        </li>
      ))}
    </ul>
  );
};
