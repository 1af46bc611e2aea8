import { Boxes, Download } from 'lucide-react';
import { useState } from 'react';
import { csvText } from '#domain/shared/csv.ts';
import { getMessage } from '../../../lib/http/api.ts';
import { formatNumber } from '../../../lib/numbers.ts';
import { createPagedList, useShownCount } from '../../../lib/paged-list.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { LINES, useCountedProductsInfiniteQuery } from '../admin-api.ts';
import type { CountedProduct } from '../admin-types.ts';
import { ListFrame } from '../ListFrame.tsx';
import { useNotify } from '../Notices.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { Segments } from '../Segments.tsx';
import { TableHead } from '../TableHead.tsx';
import { useFilter } from '../use-panel.ts';
import { CountsImport } from './CountsImport.tsx';
import { useLoadCountsMutation } from './stock-api.ts';
import { StockDialog } from './StockDialog.tsx';
import { Available, StockFigures } from './StockFigures.tsx';

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
        skeleton={<Skeleton className="mt-6 h-96" />}
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
