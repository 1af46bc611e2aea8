import { FileSpreadsheet, FileUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { getMessage } from '../../../lib/http/api.ts';
import { count, formatNumber } from '../../../lib/format.ts';
import { createPagedList } from '../../../lib/paged-list.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Status } from '../../../ui/feedback/Status.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { LINES, useStockedProductsInfiniteQuery } from '../admin-api.ts';
import { type CountedLine, type Counts, type StockedProduct, type StockList, stockLists } from '../admin-types.ts';
import { CsvImport } from '../csv/CsvImport.tsx';
import { InSteps } from '../InSteps.tsx';
import { ListFrame } from '../ListFrame.tsx';
import { useNotify } from '../Notices.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { Segments } from '../Segments.tsx';
import { TableHead } from '../TableHead.tsx';
import { useFilters, usePagesShown } from '../use-panel.ts';
import { useLoadCountsMutation, useSendCountsMutation } from './stock-api.ts';
import { StockDialog } from './StockDialog.tsx';
import { StocktakeDialog } from './StocktakeDialog.tsx';
import { StockTable } from './StockTable.tsx';
import { toTemplate } from './stocktake.ts';
import { type Stocktake, useStocktake } from './use-stocktake.ts';

type Words = { readonly text: string; readonly empty: string; readonly help: string };

const words: Readonly<Record<StockList, Words>> = {
  all: { text: 'All', empty: 'No products', help: 'Products stand here once there are some.' },
  counted: {
    text: 'Counted',
    empty: 'No product is counted',
    help: 'Type how many bottles there are into the list of all, or fill in the template.',
  },
  low: { text: 'Low', empty: 'Nothing is low', help: 'A product stands here when no more are available than its low mark.' },
  out: { text: 'Out of stock', empty: 'Nothing is out of stock', help: 'Counted products without a bottle to sell stand here.' },
  uncounted: {
    text: 'Not counted',
    empty: 'Every product is counted',
    help: 'Products stand here that are sold without counting bottles.',
  },
};

/** All products with their bottles, edited in place and booked as one stocktake. `onChanged` is called after every change. */
export const StockPanel = ({ onChanged }: { readonly onChanged: () => void }) => {
  const [valueOf, filter] = useFilters();
  const wanted = stockLists.find((each) => each === valueOf('status')) ?? 'all';
  const q = valueOf('q');
  const [opened, setOpened] = useState<StockedProduct>();
  const [isImporting, setImporting] = useState(false);
  const shown = usePagesShown(LINES);
  const query = useStockedProductsInfiniteQuery({ list: wanted, ...(q !== '' && { q }) }, shown.options);
  const list = createPagedList(query, shown);
  const counts = query.data?.pages[0]?.counts;
  const stocktake = useStocktake(onChanged);
  const { empty, help } = words[wanted];
  return (
    <section aria-label="Stock">
      <PanelHead title="Stock" count={counts && formatNumber(counts.all)}>
        <SearchBox label="Name" q={q} onSearch={(text) => filter({ q: text })} className="max-lg:basis-full lg:w-68" />
        <Template />
        <Button kind="outline" className="max-lg:flex-1 lg:min-h-10" onClick={() => setImporting(true)}>
          <FileUp className="size-4" strokeWidth={1.5} />
          From a file
        </Button>
      </PanelHead>
      <div className="mt-3">
        <Segments
          label="Lists"
          options={stockLists.map((value) => ({ value, text: words[value].text, count: counts?.[value] }))}
          chosen={wanted}
          onChoose={(status) => filter({ status: status === 'all' ? '' : status })}
        />
      </div>
      <ListFrame
        list={list}
        loading="Loading the stock..."
        empty={
          q === '' ? (
            <EmptyState title={empty}>{help}</EmptyState>
          ) : (
            <EmptyState title="No products found">Nothing is called “{q}”.</EmptyState>
          )
        }
        total={q === '' ? counts?.[wanted] : undefined}
      >
        {(products) => <StockTable products={products} stocktake={stocktake} onOpen={setOpened} />}
      </ListFrame>
      {stocktake.touched > 0 && <Foot {...stocktake} />}
      {stocktake.differences && <StocktakeDialog {...stocktake} differences={stocktake.differences} />}
      {opened && <StockDialog product={opened} onChanged={onChanged} onClose={() => setOpened(undefined)} />}
      {isImporting && <CountsImport onChanged={onChanged} onClose={() => setImporting(false)} />}
    </section>
  );
};

const Foot = ({ touched, faulty, isBusy, look, discard }: Stocktake) => {
  const good = touched - faulty.length;
  return (
    <div className="sticky bottom-0 z-10 -mx-gutter mt-4 border-t border-sandal bg-ivory px-gutter py-3 lg:mx-0 lg:px-0">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Status className="figures text-[0.9375rem]">
          <span className="font-medium">
            {count(good, 'difference')}
            {faulty.length > 0 && `, ${formatNumber(faulty.length)} to mend`}.
          </span>{' '}
          <span className="text-clove max-lg:hidden">Nothing is booked before you have seen them together.</span>
        </Status>
        <div className="flex gap-2 max-lg:w-full">
          <Button kind="quiet" disabled={isBusy} onClick={discard}>
            Discard
          </Button>
          <Button className="max-lg:flex-1" disabled={good === 0} busy={isBusy ? 'Looking...' : undefined} onClick={() => void look()}>
            See the differences
          </Button>
        </div>
      </div>
    </div>
  );
};

const Template = () => {
  const notify = useNotify();
  const [load, { isLoading }] = useLoadCountsMutation();
  const download = async (): Promise<void> => {
    const { data, error } = await load();
    if (error) return notify({ kind: 'failure', message: getMessage(error), stays: true });
    saveFile('counts.csv', 'text/csv', [toTemplate(data)]);
  };
  return (
    <Button
      kind="outline"
      className="max-lg:flex-1 lg:min-h-10"
      title="All products with their counts, as CSV"
      busy={isLoading ? 'Loading...' : undefined}
      onClick={() => void download()}
    >
      <FileSpreadsheet className="size-4" strokeWidth={1.5} />
      Template
    </Button>
  );
};

const wordsFor = (name: string, { changed, unchanged }: Counts) => {
  const same = unchanged === 0 ? '' : ` ${formatNumber(unchanged)} would stay.`;
  return {
    checked: changed === 0 ? `Nothing in ${name} changes a count.` : `${name} would change ${count(changed, 'count')}.${same}`,
    booked: `${name} is booked: ${count(changed, 'count')} changed.`,
  };
};

/** Imports a file of counted bottles. `onChanged` is called after each booked file. */
const CountsImport = ({ onChanged, onClose }: { readonly onChanged: () => void; readonly onClose: () => void }) => {
  const [send] = useSendCountsMutation();
  const nameOf = useProductNames();
  return (
    <CsvImport
      title="Counts from a file"
      help="The template filled in, or a CSV file with the columns productId and count: all bottles there are, with those reserved for orders."
      fileLabel="File of counts"
      send={async (sent) => {
        const answer = await send(sent);
        if (!sent.dryRun) onChanged();
        return answer;
      }}
      wordsOf={wordsFor}
      deed={({ changed }) => `Book ${count(changed, 'count')}`}
      nameOf={nameOf}
      onClose={onClose}
      isBookable={({ changed }) => changed > 0}
    >
      {(_, { rows }) => (
        <InSteps rows={rows} more="Show more lines">
          {(shown) => <Lines rows={shown} nameOf={nameOf} />}
        </InSteps>
      )}
    </CsvImport>
  );
};

type NameOf = (id: string) => string | undefined;

/** Loads the names of all products, once. */
const useProductNames = (): NameOf => {
  const [load] = useLoadCountsMutation();
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    let isOpen = true;
    void load().then(({ data = [] }) => isOpen && setNames(new Map(data.map(({ _id, name }) => [_id, name]))));
    return () => {
      isOpen = false;
    };
  }, [load]);
  return (id) => names.get(id);
};

const lineColumns = [
  { title: 'Line', className: 'w-[13%] sm:w-16' },
  'Product',
  { title: 'Before', className: 'w-[26%] text-right! sm:w-40' },
  { title: 'After', className: 'w-[18%] pr-0! text-right! sm:w-32' },
];

const Lines = ({ rows, nameOf }: { readonly rows: readonly CountedLine[]; readonly nameOf: NameOf }) => (
  <table className="mt-4 w-full table-fixed border-t border-ink/80">
    <caption className="sr-only">Lines of the file</caption>
    <TableHead columns={lineColumns} />
    <tbody>
      {rows.map(({ line, productId, before, after }) => (
        <tr key={line} className="border-b border-sandal/70 align-top text-[0.8125rem] sm:text-[0.9375rem]">
          <td className="figures py-3 pr-2 text-clove">{formatNumber(line)}</td>
          <td className="py-3 pr-2 wrap-anywhere">
            {nameOf(productId)} <span className="block text-[0.8125rem] text-clove">{productId}</span>
          </td>
          <td className="figures py-3 pr-6 text-right text-clove">{before === null ? 'Not counted' : formatNumber(before)}</td>
          <td className="figures py-3 text-right">
            {before === after ? <span className="text-clove">Stays</span> : <span className="font-medium">{formatNumber(after)}</span>}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
