import { Download } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { buttonStyle } from '../../../ui/button-style.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { cx } from '../../../ui/cx.ts';
import { DownloadLines } from '../DownloadLines.tsx';
import { QueryStatus } from '../QueryStatus.tsx';
import { ndjsonOf, useLogQuery } from '../audit-api.ts';
import type { AuditEvent, LogPage } from '../audit-types.ts';
import { actorText, exactMomentText, labelOf, noteOf, shortHash } from '../audit-labels.ts';
import { auditPath, logPath, type LogPlace, orderPath, pricePath } from '../audit-paths.ts';
import { PriceHistory } from '../prices/PriceHistory.tsx';
import { PriceSearch } from '../prices/PriceSearch.tsx';
import { StockHistory } from '../stock/StockHistory.tsx';
import { IntegrityCheck } from './IntegrityCheck.tsx';

const placeIn = (params: URLSearchParams): LogPlace =>
  Object.fromEntries(['category', 'stream', 'from'].flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])));

const STREAM = /^(credit-notes|[^-]*)-?(.*)$/;
const categoryOf = (stream: string): string => STREAM.exec(stream)?.[1] ?? '';
const idOf = (stream: string): string => STREAM.exec(stream)?.[2] ?? '';

const titles: Readonly<Record<string, string>> = {
  cart: 'One cart',
  payment: 'One payment',
  product: 'One perfume',
  stock: 'The stock of one perfume',
  invoices: 'The invoices of one year',
  'credit-notes': 'The credit notes of one year',
  tax: 'Tax rates',
};

const titleOf = ({ stream }: LogPlace): string => (stream === undefined ? 'The log' : (titles[categoryOf(stream)] ?? stream));

/** The event log, page by page, optionally of one category or stream. */
export const LogView = () => {
  const [params] = useSearchParams();
  const place = placeIn(params);
  const query = useLogQuery(place);
  return (
    <section aria-labelledby="log">
      {place.stream === undefined && <IntegrityCheck />}
      {place.stream === undefined && <PriceSearch />}
      <div className="mt-10 flex flex-wrap items-center justify-between gap-4">
        <h2 id="log" className="display text-h2">
          {titleOf(place)}
        </h2>
        {place.stream === undefined && (
          <DownloadLines call={ndjsonOf.log(place)} file="ruhani-log.ndjson">
            <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
            Download NDJSON
          </DownloadLines>
        )}
      </div>
      {place.stream === undefined ? <Filters current={place.category} /> : <OneStream stream={place.stream} />}
      {place.stream?.startsWith('product-') && (
        <>
          <PriceHistory id={idOf(place.stream)} moment={params.get('when')} />
          <AllThatHappened />
        </>
      )}
      {place.stream?.startsWith('stock-') && (
        <>
          <StockHistory id={idOf(place.stream)} at={params.get('at')} />
          <AllThatHappened />
        </>
      )}
      <QueryStatus query={query} saying="Reading the log...">
        {(page) => <Page place={place} page={page} />}
      </QueryStatus>
    </section>
  );
};

const AllThatHappened = () => <h2 className="display mt-12 mb-4 text-h3">All that happened to it</h2>;

const filters = [
  { category: undefined, text: 'Everything' },
  { category: 'order', text: 'Orders' },
  { category: 'cart', text: 'Carts' },
  { category: 'product', text: 'Perfumes' },
  { category: 'payment', text: 'Payments' },
  { category: 'stock', text: 'Stock' },
  { category: 'invoices', text: 'Invoices' },
  { category: 'credit-notes', text: 'Credit notes' },
  { category: 'tax', text: 'Tax' },
] as const;

const Filters = ({ current }: { readonly current: string | undefined }) => (
  <nav aria-label="Parts of the log" className="my-5 flex flex-wrap gap-2">
    {filters.map(({ category, text }) => (
      <Link
        key={text}
        to={category === undefined ? auditPath : logPath({ category })}
        aria-current={current === category ? 'page' : undefined}
        className={cx(
          'inline-flex h-11 items-center rounded-full border px-4 text-[0.9375rem]',
          current === category ? 'border-oxblood bg-oxblood text-ivory' : 'border-sandal bg-white hover:border-ink',
        )}
      >
        {text}
      </Link>
    ))}
  </nav>
);

/** A payment without an order has the gateway's id. */
const ORDER_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const OneStream = ({ stream }: { readonly stream: string }) => (
  <div className="my-5">
    <p className="font-mono text-[0.8125rem] break-all text-clove">{stream}</p>
    {categoryOf(stream) === 'payment' && ORDER_ID.test(idOf(stream)) && (
      <TextLink to={orderPath(idOf(stream))} className="mt-2">
        The order
      </TextLink>
    )}
    {categoryOf(stream) === 'stock' && (
      <TextLink to={logPath({ stream: `product-${idOf(stream)}` })} className="mt-2">
        The perfume and its prices
      </TextLink>
    )}
    {categoryOf(stream) === 'product' && (
      <TextLink to={logPath({ stream: `stock-${idOf(stream)}` })} className="mt-2">
        Its bottles
      </TextLink>
    )}
  </div>
);

const Page = ({ place, page: { events, next } }: { readonly place: LogPlace; readonly page: LogPage }) => {
  const { from, ...beginning } = place;
  return (
    <>
      {events.length === 0 && <EmptyState title="Nothing more has happened." />}
      {events.length > 0 && <LogTable events={events} />}
      {events.length > 0 && <LogCards events={events} />}
      <nav aria-label="Pages of the log" className="mt-6 flex flex-wrap justify-between gap-3">
        {from !== undefined && (
          <Link to={logPath(beginning)} className={buttonStyle({ kind: 'quiet' })}>
            From the beginning
          </Link>
        )}
        {next !== null && (
          <Link to={logPath({ ...place, from: next })} className={buttonStyle({ kind: 'outline', className: 'ml-auto' })}>
            Next page
          </Link>
        )}
      </nav>
    </>
  );
};

const heads = ['Position', 'When', 'What', 'Of', 'Who', 'Hash'] as const;

/** For screens wide enough for a table. */
const LogTable = ({ events }: { readonly events: readonly AuditEvent[] }) => (
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
  const note = noteOf(event);
  return (
    <tr className="border-b border-sandal/70 align-top text-[0.9375rem] hover:bg-white">
      <td className="figures py-3 pr-6 text-right text-clove">{position}</td>
      <td className="figures py-3 pr-4 whitespace-nowrap text-clove">{exactMomentText(recordedAt)}</td>
      <td className="py-3 pr-4">
        {labelOf(type).text}
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

/** For phones: a card per event. */
const LogCards = ({ events }: { readonly events: readonly AuditEvent[] }) => (
  <ol className="grid gap-3 md:hidden">
    {events.map((event) => (
      <li key={event.position} className="border border-sandal bg-white p-4">
        <p className="flex items-baseline justify-between gap-3">
          <span className="font-medium">{labelOf(event.type).text}</span>
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
        {noteOf(event) !== undefined && <p className="mt-2 text-[0.875rem] wrap-anywhere text-clove">{noteOf(event)}</p>}
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
};

/** Those whose ids say something to people. */
const NAMED: ReadonlySet<string> = new Set(['product', 'stock', 'invoices', 'credit-notes']);

/** The event's stream, as a link to all of its events. */
const EventSubject = ({ stream, revision }: Pick<AuditEvent, 'stream' | 'revision'>) => {
  const [category, id] = [categoryOf(stream), idOf(stream)];
  const to = category === 'order' ? orderPath(id, revision) : logPath({ stream });
  return (
    <Link to={to} className="link wrap-anywhere">
      {kinds[category] ?? category} {NAMED.has(category) ? id : id.slice(0, 8)}
    </Link>
  );
};

/** Links to what else the event refers to. */
const linksFrom = ({ type, data }: AuditEvent): readonly { readonly to: string; readonly text: string }[] => {
  const named = (field: string): string | undefined => (typeof data?.[field] === 'string' ? data[field] : undefined);
  const [order, from, into, product, addedAt] = ['order', 'from', 'into', 'productId', 'addedAt'].map(named);
  if ((type === 'OrderedItemsTaken' || type.startsWith('Stock')) && order !== undefined)
    return [{ to: orderPath(order), text: 'The order' }];
  if (type === 'CartsMerged' && from !== undefined) return [{ to: logPath({ stream: `cart-${from}` }), text: 'The visitor\u2019s cart' }];
  if (type === 'CartClosed' && into !== undefined) return [{ to: logPath({ stream: `cart-${into}` }), text: 'The cart it went into' }];
  if (product !== undefined && addedAt !== undefined) return [{ to: pricePath(product, addedAt), text: 'What it cost then' }];
  return [];
};

const EventLinks = ({ event }: { readonly event: AuditEvent }) =>
  linksFrom(event).map(({ to, text }) => (
    <Link key={to} to={to} className="link text-[0.8125rem]">
      {text}
    </Link>
  ));
