import { Boxes, Download } from 'lucide-react';
import { useState } from 'react';
import { csvText } from '#domain/shared/csv.ts';
import { getMessage } from '../../../lib/http/api.ts';
import { count, formatNumber } from '../../../lib/format.ts';
import { createPagedList, useShownCount } from '../../../lib/paged-list.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { LINES, useCountedProductsInfiniteQuery } from '../admin-api.ts';
import type { CountedProduct, CountedLine, Counts } from '../admin-types.ts';
import { ListFrame } from '../ListFrame.tsx';
import { useNotify } from '../Notices.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { Segments } from '../Segments.tsx';
import { TableHead } from '../TableHead.tsx';
import { useFilter } from '../use-panel.ts';
import { useLoadCountsMutation, useSendCountsMutation } from './stock-api.ts';
import { StockDialog } from './StockDialog.tsx';
import { Available, StockFigures } from './StockFigures.tsx';
import { CsvImport } from '../csv/CsvImport.tsx';
import { InSteps } from '../InSteps.tsx';

const lists = [
  { value: '', text: 'All counted' },
  { value: 'low', text: 'Low' },
];

/** Shows counted products, low stock, and files of counts. `onChanged` is called after every change. */
export const StockPanel = ({ onChanged }: { readonly onChanged: () => void }) => {
  const [status, setStatus] = useFilter('status');
  const isLow = status === 'low';
  const [opened, setOpened] = useState<CountedProduct>();
  const count = useShownCount(LINES);
  const list = createPagedList(useCountedProductsInfiniteQuery(isLow ? { low: true } : {}, count.options), count);
  const isWide = useMedia('(min-width: 64rem)');
  return (
    <section aria-label="Stock">
      <PanelHead title="Stock">
        <DownloadCounts />
      </PanelHead>
      <CountsImport onChanged={onChanged} />
      <div className="mt-8">
        <Segments label="Counted products" options={lists} chosen={isLow ? 'low' : ''} onChoose={setStatus} />
      </div>
      <ListFrame
        list={list}
        loading="Loading the stock..."
        empty={
          isLow ? (
            <EmptyState title="Nothing is low">A product stands here when no more are available than its low mark.</EmptyState>
          ) : (
            <EmptyState title="No product is counted">Start with Stock in the list of products, or with a file of counts.</EmptyState>
          )
        }
      >
        {(products) =>
          isWide ? <CountedTable products={products} onOpen={setOpened} /> : <CountedCards products={products} onOpen={setOpened} />
        }
      </ListFrame>
      {opened && <StockDialog product={opened} onChanged={onChanged} onClose={() => setOpened(undefined)} />}
    </section>
  );
};

const DownloadCounts = () => {
  const notify = useNotify();
  const [load, { isLoading }] = useLoadCountsMutation();
  const download = async (): Promise<void> => {
    const { data, error } = await load();
    if (error) return notify({ kind: 'failure', message: getMessage(error), stays: true });
    if (data.length === 0) return notify({ kind: 'failure', message: 'No product is counted', stays: true });
    saveFile('counts.csv', 'text/csv', [csvText([['productId', 'count'], ...data.map(({ _id, stock }) => [_id, String(stock.onHand)])])]);
  };
  return (
    <Button kind="outline" className="max-sm:w-full" busy={isLoading ? 'Loading...' : undefined} onClick={() => void download()}>
      <Download className="size-4" strokeWidth={1.5} />
      Download Counts
    </Button>
  );
};

type CountedProps = { readonly products: readonly CountedProduct[]; readonly onOpen: (product: CountedProduct) => void };

const NUMBER = 'figures py-3 pr-6 text-right';

const columns = [
  'Product',
  { title: 'On hand', className: 'w-28 text-right!' },
  { title: 'Reserved', className: 'w-28 text-right!' },
  { title: 'Available', className: 'w-60 pl-8!' },
  { title: 'Low mark', className: 'w-28 text-right!' },
  { title: 'Actions', className: 'w-28 pr-3! text-right!' },
];

const CountedTable = ({ products, onOpen }: CountedProps) => (
  <table className="mt-6 w-full border-t border-ink/80">
    <TableHead columns={columns} />
    <tbody>
      {products.map((product) => (
        <tr key={product._id} data-row={product._id} className="border-b border-sandal/70 text-[0.9375rem] hover:bg-white">
          <th scope="row" className="py-3 pr-6 text-left font-medium wrap-anywhere">
            {product.name}
          </th>
          <td className={NUMBER}>{formatNumber(product.stock.onHand)}</td>
          <td className={NUMBER}>{formatNumber(product.stock.reserved)}</td>
          <td className="py-3 pr-6 pl-8">
            <Available {...product.stock} />
          </td>
          <td className={NUMBER}>{product.stock.lowAt === null ? 'None' : formatNumber(product.stock.lowAt)}</td>
          <td className="py-1.5 text-right">
            <Open product={product} onOpen={onOpen} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const CountedCards = ({ products, onOpen }: CountedProps) => (
  <ul className="mt-6 space-y-3">
    {products.map((product) => (
      <li
        key={product._id}
        data-row={product._id}
        className="flex items-center justify-between gap-4 rounded-sm border border-sandal bg-white p-4"
      >
        <div className="min-w-0 text-[0.9375rem]">
          <p className="font-medium wrap-anywhere">{product.name}</p>
          <StockFigures {...product.stock} />
        </div>
        <Open product={product} onOpen={onOpen} />
      </li>
    ))}
  </ul>
);

type OpenProps = Pick<CountedProps, 'onOpen'> & { readonly product: CountedProduct };

const Open = ({ product, onOpen }: OpenProps) => (
  <button
    type="button"
    aria-label={`Stock of ${product.name}`}
    onClick={() => onOpen(product)}
    className="inline-flex min-h-11 shrink-0 items-center gap-2 rounded-xs px-3 text-[0.875rem] font-medium hover:bg-ink/5"
  >
    <Boxes className="size-4" strokeWidth={1.5} />
    Stock
  </button>
);

const wordsFor = (name: string, { changed, unchanged }: Counts) => {
  const same = unchanged === 0 ? '' : ` ${formatNumber(unchanged)} would stay.`;
  return {
    checked: changed === 0 ? `Nothing in ${name} changes a count.` : `${name} would change ${count(changed, 'count')}.${same}`,
    booked: `${name} is booked: ${count(changed, 'count')} changed.`,
  };
};

/** Imports a file of counted bottles. `onChanged` is called after each booked file. */
const CountsImport = ({ onChanged }: { readonly onChanged: () => void }) => {
  const [send] = useSendCountsMutation();
  return (
    <CsvImport
      title="Counts from a file"
      help="A CSV file with the columns productId and count: all bottles there are, with those reserved for orders."
      fileLabel="File of counts"
      send={async (sent) => {
        const answer = await send(sent);
        if (!sent.dryRun) onChanged();
        return answer;
      }}
      wordsOf={wordsFor}
      isBookable={({ changed }) => changed > 0}
    >
      {(_, { rows }) => (
        <InSteps rows={rows} more="Show more lines">
          {(shown) => <Lines rows={shown} />}
        </InSteps>
      )}
    </CsvImport>
  );
};

const lineColumns = [
  { title: 'Line', className: 'w-[13%] sm:w-16' },
  'Product',
  { title: 'Before', className: 'w-[26%] text-right! sm:w-40' },
  { title: 'After', className: 'w-[18%] pr-0! text-right! sm:w-32' },
];

const Lines = ({ rows }: { readonly rows: readonly CountedLine[] }) => (
  <table className="mt-4 w-full table-fixed border-t border-ink/80">
    <caption className="sr-only">Lines of the file</caption>
    <TableHead columns={lineColumns} />
    <tbody>
      {rows.map(({ line, productId, before, after }) => (
        <tr key={line} className="border-b border-sandal/70 align-top text-[0.8125rem] sm:text-[0.9375rem]">
          <td className="figures py-3 pr-2 text-clove">{formatNumber(line)}</td>
          <td className="py-3 pr-2 wrap-anywhere">{productId}</td>
          <td className="figures py-3 pr-6 text-right text-clove">{before === null ? 'Not counted' : formatNumber(before)}</td>
          <td className="figures py-3 text-right">
            {before === after ? <span className="text-clove">Stays</span> : <span className="font-medium">{formatNumber(after)}</span>}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
