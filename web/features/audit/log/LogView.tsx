import { Download } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { cx } from '../../../ui/cx.ts';
import { buttonStyle } from '../../../ui/button-style.ts';
import { Asking } from '../FetchStatus.tsx';
import type { LogPage } from '../audit-api.ts';
import { DownloadLines } from '../DownloadLines.tsx';
import { auditPath, logPath, type LogPlace } from '../audit-paths.ts';
import { PriceHistory } from '../prices/PriceHistory.tsx';
import { PriceSearch } from '../prices/PriceSearch.tsx';
import { useAnswer } from '../use-fetch.ts';
import { BookCheck } from './IntegrityCheck.tsx';
import { LogCards } from './LogCards.tsx';
import { LogTable } from './LogTable.tsx';

const PAGE = 50;

const placeIn = (params: URLSearchParams): LogPlace =>
  Object.fromEntries(['category', 'stream', 'from'].flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])));

const callFor = (place: LogPlace, more: Readonly<Record<string, string>>): string =>
  `/audit/events?${new URLSearchParams({ ...place, ...more }).toString()}`;

/** The whole log, page by page: all of it, of a category, or of one cart or perfume. */
export const LogView = () => {
  const [params] = useSearchParams();
  const place = placeIn(params);
  const { answer, again } = useAnswer<LogPage>(callFor(place, { limit: String(PAGE) }));
  const { from: _, ...wanted } = place;
  return (
    <section aria-labelledby="log">
      {place.stream === undefined && <BookCheck />}
      {place.stream === undefined && <PriceSearch />}
      <div className="mt-10 flex flex-wrap items-center justify-between gap-4">
        <h2 id="log" className="display text-h2">
          {place.stream === undefined ? 'The log' : place.stream.startsWith('cart-') ? 'One cart' : 'One perfume'}
        </h2>
        {place.stream === undefined && (
          <DownloadLines url={callFor(wanted, { form: 'stored' })} file="ruhani-log.ndjson">
            <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
            Download NDJSON
          </DownloadLines>
        )}
      </div>
      {place.stream === undefined ? <Filters current={place.category} /> : <OneStream stream={place.stream} />}
      {place.stream?.startsWith('product-') && (
        <>
          <PriceHistory id={place.stream.slice('product-'.length)} moment={params.get('when')} />
          <h2 className="display mt-12 mb-4 text-h3">All that happened to it</h2>
        </>
      )}
      <Asking answer={answer} again={again} saying="Reading the log...">
        {(page) => <Page place={place} page={page} />}
      </Asking>
    </section>
  );
};

const filters = [
  { category: undefined, text: 'Everything' },
  { category: 'order', text: 'Orders' },
  { category: 'cart', text: 'Carts' },
  { category: 'product', text: 'Perfumes' },
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

const OneStream = ({ stream }: { readonly stream: string }) => (
  <p className="my-5 font-mono text-[0.8125rem] break-all text-clove">{stream}</p>
);

const Page = ({ place, page: { events, next } }: { readonly place: LogPlace; readonly page: LogPage }) => {
  const { from, ...beginning } = place;
  return (
    <>
      {events.length === 0 && <p className="border-t border-ink/80 py-6 text-clove">Nothing more has happened.</p>}
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
