import { Link } from 'react-router-dom';
import type { AuditEvent } from '../audit-api.ts';
import { logPath, orderPath, pricePath } from '../audit-paths.ts';

/** Links to what else the event refers to. */
const linksFrom = ({ type, data }: AuditEvent): readonly { readonly to: string; readonly text: string }[] => {
  const named = (field: string): string | undefined => (typeof data?.[field] === 'string' ? data[field] : undefined);
  const [order, from, into, product, addedAt] = ['order', 'from', 'into', 'productId', 'addedAt'].map(named);
  if (type === 'OrderedItemsTaken' && order !== undefined) return [{ to: orderPath(order), text: 'The order' }];
  if (type === 'CartsMerged' && from !== undefined) return [{ to: logPath({ stream: `cart-${from}` }), text: 'The visitor\u2019s cart' }];
  if (type === 'CartClosed' && into !== undefined) return [{ to: logPath({ stream: `cart-${into}` }), text: 'The cart it went into' }];
  if (product !== undefined && addedAt !== undefined) return [{ to: pricePath(product, addedAt), text: 'What it cost then' }];
  return [];
};

export const EventLinks = ({ event }: { readonly event: AuditEvent }) =>
  linksFrom(event).map(({ to, text }) => (
    <Link key={to} to={to} className="link text-[0.8125rem]">
      {text}
    </Link>
  ));
