import { Link } from 'react-router-dom';
import type { AuditEvent } from '../audit-api.ts';
import { logPath, orderPath } from '../audit-paths.ts';

const kinds: Readonly<Record<string, string>> = { order: 'Order', cart: 'Cart', product: 'Perfume' };

/** The event's stream, as a link to all of its events. */
export const EventSubject = ({ stream, revision }: Pick<AuditEvent, 'stream' | 'revision'>) => {
  const dash = stream.indexOf('-');
  const [category, id] = [stream.slice(0, dash), stream.slice(dash + 1)];
  const to = category === 'order' ? orderPath(id, revision) : logPath({ stream });
  return (
    <Link to={to} className="link wrap-anywhere">
      {kinds[category] ?? category} {category === 'product' ? id : id.slice(0, 8)}
    </Link>
  );
};
