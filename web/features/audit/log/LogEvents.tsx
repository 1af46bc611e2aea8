import { Link } from 'react-router-dom';
import { actorText, exactMomentText, labelFor, findNote, shortHash } from '../audit-labels.ts';
import { parseStreamCategory, parseStreamId, logPath, orderPath, pricePath } from '../audit-paths.ts';
import type { AuditEvent } from '../audit-types.ts';

type LogEventsProps = { readonly events: readonly AuditEvent[] };

/** Lists events in the order in which they were written: as a table, or as cards on phones. */
export const LogEvents = ({ events }: LogEventsProps) => (
  <>
    <LogTable events={events} />
    <LogCards events={events} />
  </>
);

const heads = ['Position', 'When', 'What', 'Of', 'Who', 'Hash'] as const;

const LogTable = ({ events }: LogEventsProps) => (
  <table className="hidden w-full border-t border-ink/80 md:table">
    <caption className="sr-only">Events in the order in which they were written</caption>
    <thead>
      <tr className="border-b border-sandal text-left text-[0.8125rem] text-clove">
        {heads.map((head) => (
          <th key={head} scope="col" className={head === 'Position' ? 'py-2.5 pr-6 text-right font-medium' : 'py-2.5 pr-4 font-medium'}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {events.map((event) => (
        <LogRow key={event.position} event={event} />
      ))}
    </tbody>
  </table>
);

const LogRow = ({ event }: { readonly event: AuditEvent }) => {
  const { position, recordedAt, type, metadata, unreadable } = event;
  const note = findNote(event);
  return (
    <tr className="border-b border-sandal/70 align-top text-[0.9375rem] hover:bg-white">
      <td className="figures py-3 pr-6 text-right text-clove">{position}</td>
      <td className="figures py-3 pr-4 whitespace-nowrap text-clove">{exactMomentText(recordedAt)}</td>
      <td className="py-3 pr-4">
        {labelFor(type).text}
        {note !== undefined && <span className="block text-[0.8125rem] wrap-anywhere text-clove">{note}</span>}
        {unreadable !== undefined && <span className="block text-[0.8125rem] wrap-anywhere text-sindoor">{unreadable}</span>}
        <span className="block">
          <EventLinks event={event} />
        </span>
      </td>
      <td className="py-3 pr-4">
        <EventSubject {...event} />
      </td>
      <td className="py-3 pr-4 wrap-anywhere">{actorText(event)}</td>
      <td className="py-3 font-mono text-xs text-clove">{shortHash(metadata?.hash)}</td>
    </tr>
  );
};

const LogCards = ({ events }: LogEventsProps) => (
  <ol className="grid gap-3 md:hidden">
    {events.map((event) => (
      <li key={event.position} className="border border-sandal bg-white p-4">
        <p className="flex items-baseline justify-between gap-3">
          <span className="font-medium">{labelFor(event.type).text}</span>
          <span className="figures text-xs text-clove">{event.position}</span>
        </p>
        <dl className="mt-2 grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-[0.875rem]">
          <dt className="text-clove">When</dt>
          <dd className="figures">{exactMomentText(event.recordedAt)}</dd>
          <dt className="text-clove">Of</dt>
          <dd>
            <EventSubject {...event} />
          </dd>
          <dt className="text-clove">Who</dt>
          <dd className="wrap-anywhere">{actorText(event)}</dd>
          <dt className="text-clove">Hash</dt>
          <dd className="font-mono text-xs">{shortHash(event.metadata?.hash)}</dd>
        </dl>
        {event.unreadable !== undefined && <p className="mt-2 text-[0.875rem] wrap-anywhere text-sindoor">{event.unreadable}</p>}
        {findNote(event) !== undefined && <p className="mt-2 text-[0.875rem] wrap-anywhere text-clove">{findNote(event)}</p>}
        <EventLinks event={event} />
      </li>
    ))}
  </ol>
);

const kinds: Readonly<Record<string, string>> = {
  order: 'Order',
  cart: 'Cart',
  product: 'Perfume',
  payment: 'Payment',
  stock: 'Stock',
  invoices: 'Invoices',
  'credit-notes': 'Credit notes',
  tax: 'Tax',
  review: 'Review',
  message: 'Message',
};

/** The ids of these streams can be read by people. */
const NAMED: ReadonlySet<string> = new Set(['product', 'stock', 'invoices', 'credit-notes']);

const EventSubject = ({ stream, revision }: Pick<AuditEvent, 'stream' | 'revision'>) => {
  const [category, id] = [parseStreamCategory(stream), parseStreamId(stream)];
  const to = category === 'order' ? orderPath(id, revision) : logPath({ stream });
  return (
    <Link to={to} className="link wrap-anywhere">
      {kinds[category] ?? category} {NAMED.has(category) ? id : id.slice(0, 8)}
    </Link>
  );
};

const linksFrom = ({ type, data }: AuditEvent): readonly { readonly to: string; readonly text: string }[] => {
  const named = (field: string): string | undefined => (typeof data?.[field] === 'string' ? data[field] : undefined);
  const [order, from, into, product, addedAt, perfume] = ['order', 'from', 'into', 'productId', 'addedAt', 'product'].map(named);
  if ((type === 'OrderedItemsTaken' || type.startsWith('Stock')) && order !== undefined)
    return [{ to: orderPath(order), text: 'The order' }];
  if (type === 'CartsMerged' && from !== undefined) return [{ to: logPath({ stream: `cart-${from}` }), text: 'The visitor\u2019s cart' }];
  if (type === 'CartClosed' && into !== undefined) return [{ to: logPath({ stream: `cart-${into}` }), text: 'The cart it went into' }];
  if (type.startsWith('Review') && perfume !== undefined) return [{ to: logPath({ stream: `product-${perfume}` }), text: 'The perfume' }];
  if (product !== undefined && addedAt !== undefined) return [{ to: pricePath(product, addedAt), text: 'What it cost then' }];
  return [];
};

const EventLinks = ({ event }: { readonly event: AuditEvent }) =>
  linksFrom(event).map(({ to, text }) => (
    <Link key={to} to={to} className="link text-[0.8125rem]">
      {text}
    </Link>
  ));
