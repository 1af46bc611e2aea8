import { Info } from 'lucide-react';
import { count, formatNumber, numberWord } from '../../../lib/format.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import { TableHead } from '../TableHead.tsx';
import type { StockDifference } from './stocktake.ts';
import type { Stocktake } from './use-stocktake.ts';

const columns = ['Product', ...['Before', 'Now', 'Difference'].map((title) => ({ title, className: 'text-right!' }))];

const listNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** Shows all differences together before they are booked. */
export const StocktakeDialog = ({
  differences,
  faulty,
  isBusy,
  problem,
  book,
  back,
}: Stocktake & { readonly differences: readonly StockDifference[] }) => {
  const begin = differences.filter(({ product, count: bottles }) => product.stock === null && bottles !== undefined);
  const deed = `Book ${numberWord(differences.length).toLowerCase()} ${differences.length === 1 ? 'product' : 'products'}`;
  return (
    <Modal
      open
      isBusy={isBusy}
      onClose={back}
      title={`${numberWord(differences.length)} ${differences.length === 1 ? 'difference' : 'differences'}`}
      description={<p>One stocktake of now, in your name. Orders that are reserved keep their bottles.</p>}
      foot={
        <>
          <Button kind="quiet" disabled={isBusy} onClick={back}>
            Back to the table
          </Button>
          <Button busy={isBusy ? 'Booking...' : undefined} onClick={() => void book()}>
            {deed}
          </Button>
        </>
      }
    >
      {problem !== undefined && <Alert className="mt-4">{problem}</Alert>}
      <table className="mt-4 w-full border-t border-ink/80 text-[0.9375rem]">
        <caption className="sr-only">Differences</caption>
        <TableHead columns={columns} />
        <tbody className="figures">
          {differences.flatMap(({ product, count: bottles, lowAt }) => [
            ...(bottles === undefined
              ? []
              : [<CountRow key={product._id} name={product.name} before={product.stock?.onHand} now={bottles} />]),
            ...(lowAt === undefined
              ? []
              : [<MarkRow key={`${product._id} mark`} name={product.name} before={product.stock?.lowAt ?? null} now={lowAt} />]),
          ])}
        </tbody>
      </table>
      {(begin.length > 0 || faulty.length > 0) && (
        <p className="mt-4 flex gap-2.5 text-[0.875rem] leading-relaxed text-clove">
          <Info className="mt-0.5 size-[1.125rem] shrink-0" strokeWidth={1.5} />
          <span>
            {begin.length > 0 &&
              `From now on ${listNames(begin.map(({ product }) => product.name))} ${begin.length === 1 ? 'is' : 'are'} for sale only while some are left. `}
            {faulty.length > 0 &&
              `${listNames(faulty.map(({ product }) => product.name))} ${faulty.length === 1 ? 'is' : 'are'} not in it: the number has to be mended first.`}
          </span>
        </p>
      )}
    </Modal>
  );
};

type CountRowProps = { readonly name: string; readonly before: number | undefined; readonly now: number };

const CountRow = ({ name, before, now }: CountRowProps) => (
  <Row
    name={name}
    before={before === undefined ? 'Not counted' : formatNumber(before)}
    now={formatNumber(now)}
    difference={differenceText(before, now)}
  />
);

/** Returns `+12`, `−2`, or that counting begins. */
export const differenceText = (before: number | undefined, now: number): string =>
  before === undefined ? 'begins' : `${now < before ? '−' : '+'}${formatNumber(Math.abs(now - before))}`;

const markText = (lowAt: number | null): string => (lowAt === null ? 'never' : count(lowAt, 'bottle'));

type MarkRowProps = { readonly name: string; readonly before: number | null; readonly now: number | null };

const MarkRow = ({ name, before, now }: MarkRowProps) => (
  <Row name={`${name}, warn at`} before={markText(before)} now={markText(now)} difference="" />
);

type RowProps = { readonly name: string; readonly before: string; readonly now: string; readonly difference: string };

const Row = ({ name, before, now, difference }: RowProps) => (
  <tr className="border-b border-sandal/70">
    <th scope="row" className="py-2.5 pr-4 text-left font-medium wrap-anywhere">
      {name}
    </th>
    <td className="py-2.5 pr-6 text-right text-clove">{before}</td>
    <td className="py-2.5 pr-6 text-right font-medium">{now}</td>
    <td className="py-2.5 pr-6 text-right font-medium text-gold-deep">{difference}</td>
  </tr>
);
