import { Download } from 'lucide-react';
import { Link, useSearchParams, useNavigate } from 'react-router-dom';
import { useId, useState } from 'react';
import type { ProductView } from '#domain/product/view.ts';
import { buttonStyle } from '../../../ui/button-style.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { cx } from '../../../ui/cx.ts';
import { DownloadLines } from '../DownloadLines.tsx';
import { QueryStatus } from '../QueryStatus.tsx';
import { ndjsonOf, useLogQuery, usePerfumesQuery } from '../audit-api.ts';
import type { LogPage } from '../audit-types.ts';
import { auditPath, parseStreamCategory, parseStreamId, logPath, type LogPlace, orderPath, pricePath } from '../audit-paths.ts';
import { PriceHistory } from '../prices/PriceHistory.tsx';
import { StockHistory } from '../stock/StockHistory.tsx';
import { IntegrityCheck } from './IntegrityCheck.tsx';
import { LogEvents } from './LogEvents.tsx';
import { SignatureState } from './SignatureState.tsx';
import { useDebounced } from '../../../lib/use-debounced.ts';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import { MomentPicker } from '../MomentPicker.tsx';

const parsePlace = (params: URLSearchParams): LogPlace =>
  Object.fromEntries(['category', 'stream', 'from'].flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])));

const titles: Readonly<Record<string, string>> = {
  cart: 'One cart',
  payment: 'One payment',
  product: 'One perfume',
  stock: 'The stock of one perfume',
  invoices: 'The invoices of one year',
  'credit-notes': 'The credit notes of one year',
  tax: 'Tax rates',
  review: 'One review',
  message: 'The answers to one message',
};

const titleFor = ({ stream }: LogPlace): string => (stream === undefined ? 'The log' : (titles[parseStreamCategory(stream)] ?? stream));

export const LogView = () => {
  const [params] = useSearchParams();
  const place = parsePlace(params);
  const query = useLogQuery(place);
  return (
    <section aria-labelledby="log">
      {place.stream === undefined && <IntegrityCheck />}
      {place.stream === undefined && <PriceSearch />}
      <div className="mt-10 flex flex-wrap items-center justify-between gap-4">
        <h2 id="log" className="display text-h2">
          {titleFor(place)}
        </h2>
        {place.stream === undefined && (
          <DownloadLines call={ndjsonOf.log(place)} file="ruhani-log.ndjson">
            <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
            Download NDJSON
          </DownloadLines>
        )}
      </div>
      {place.stream === undefined && <SignatureState />}
      {place.stream === undefined ? <Filters current={place.category} /> : <OneStream stream={place.stream} />}
      {place.stream?.startsWith('product-') && (
        <>
          <PriceHistory id={parseStreamId(place.stream)} moment={params.get('when')} />
          <AllThatHappened />
        </>
      )}
      {place.stream?.startsWith('stock-') && (
        <>
          <StockHistory id={parseStreamId(place.stream)} at={params.get('at')} />
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
  { category: 'review', text: 'Reviews' },
  { category: 'message', text: 'Answers' },
  { category: 'staff', text: 'Staff' },
  { category: 'wishlist', text: 'Wishlists' },
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

/** A payment without an order has the payment gateway's id instead of this format. */
const ORDER_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const OneStream = ({ stream }: { readonly stream: string }) => (
  <div className="my-5">
    <p className="font-mono text-[0.8125rem] break-all text-clove">{stream}</p>
    {parseStreamCategory(stream) === 'payment' && ORDER_ID.test(parseStreamId(stream)) && (
      <TextLink to={orderPath(parseStreamId(stream))} className="mt-2">
        The order
      </TextLink>
    )}
    {parseStreamCategory(stream) === 'stock' && (
      <TextLink to={logPath({ stream: `product-${parseStreamId(stream)}` })} className="mt-2">
        The perfume and its prices
      </TextLink>
    )}
    {parseStreamCategory(stream) === 'product' && (
      <TextLink to={logPath({ stream: `stock-${parseStreamId(stream)}` })} className="mt-2">
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
      {events.length > 0 && <LogEvents events={events} />}
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

/** Opens a product's price at a moment. Removed products can only be found through the log. */
const PriceSearch = () => {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const { data: perfumes = [] } = usePerfumesQuery(useDebounced(text.trim()));
  const pick = (moment: string): string => {
    const chosen = perfumes.find(({ _id, name }) => [_id, name.toLowerCase()].includes(text.trim().toLowerCase()));
    if (!chosen) return 'Choose a perfume';
    void navigate(pricePath(chosen._id, moment));
    return '';
  };
  return (
    <section
      aria-labelledby="price-search"
      className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 border-b border-ink/80 py-6"
    >
      <div>
        <h2 id="price-search" className="font-medium">
          What a perfume cost
        </h2>
        <p className="text-[0.875rem] text-clove">Its price at any moment, as carts and orders of that moment used it.</p>
      </div>
      <MomentPicker label="At (time in India)" clock="" onPick={pick}>
        <PerfumeField perfumes={perfumes} text={text} onType={setText} />
      </MomentPicker>
    </section>
  );
};

type PerfumeFieldProps = { readonly perfumes: readonly ProductView[]; readonly text: string; readonly onType: (text: string) => void };

/** A text field for which the browser suggests matching perfumes. Perfumes with the same name are suggested by id. */
const PerfumeField = ({ perfumes, text, onType }: PerfumeFieldProps) => {
  const id = useId();
  const isAlone = ({ name }: ProductView): boolean => perfumes.filter((other) => other.name === name).length === 1;
  return (
    <div className="w-60 max-w-full">
      <p aria-hidden="true" className="mb-1.5 text-[0.875rem] text-clove">
        Perfume
      </p>
      <SearchInput label="Perfume" placeholder="" list={id} value={text} onType={onType} className="h-11 text-[0.9375rem]" />
      <datalist id={id}>
        {perfumes.map((perfume) => (
          <option key={perfume._id} value={isAlone(perfume) ? perfume.name : perfume._id}>
            {perfume.name}
          </option>
        ))}
      </datalist>
    </div>
  );
};
