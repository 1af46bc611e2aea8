import { Check, CircleAlert, Minus, TriangleAlert, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { dayText } from '../../../lib/dates.ts';
import { formatNumber } from '../../../lib/format.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { Picture } from '../../../ui/Picture.tsx';
import { cx } from '../../../ui/cx.ts';
import type { StockedProduct } from '../admin-types.ts';
import { TableHead } from '../TableHead.tsx';
import { isTouched, shownTexts, type StockEdit, toDifference } from './stocktake.ts';
import { differenceText } from './StocktakeDialog.tsx';
import type { Stocktake } from './use-stocktake.ts';

type StockTableProps = {
  readonly products: readonly StockedProduct[];
  readonly stocktake: Stocktake;
  readonly onOpen: (product: StockedProduct) => void;
};

/** The bottles of each product, edited in place. Enter goes on to the next product. */
export const StockTable = (props: StockTableProps) => {
  const isWide = useMedia('(min-width: 64rem)');
  return isWide ? <Wide {...props} /> : <Narrow {...props} />;
};

const columns = [
  'Product',
  'On hand',
  { title: 'Reserved', className: 'text-right!' },
  { title: 'To sell', className: 'pr-8! text-right!' },
  'Warn at',
  'In the shop',
  'Counted',
  { title: 'History', className: 'sr-only' },
];

/** What a row shows, from what is so and what was typed. */
const readRow = (product: StockedProduct, { edits, faultOf }: Stocktake) => {
  const edit: StockEdit = { ...edits[product._id], product };
  const touched = isTouched(edit);
  const fault = touched ? faultOf(edit) : undefined;
  const changed = touched && fault === undefined ? toDifference(edit) : undefined;
  const after = changed?.count ?? product.stock?.onHand;
  const reserved = product.stock?.reserved ?? 0;
  const available = after === undefined ? undefined : Math.max(0, after - reserved);
  const difference = changed?.count === undefined ? '' : differenceText(product.stock?.onHand, changed.count);
  return { ...shownTexts(product, edit), touched, fault, after, reserved, available, difference };
};

const Wide = ({ products, stocktake, onOpen }: StockTableProps) => (
  <table className="mt-3 w-full border-t border-ink/80">
    <caption className="sr-only">Counts</caption>
    <TableHead columns={columns} />
    <tbody>
      {products.map((product) => {
        const row = readRow(product, stocktake);
        return (
          <tr key={product._id} data-row={product._id} className="h-13 border-b border-sandal/70 text-[0.875rem] hover:bg-white">
            <th scope="row" className="pr-4 text-left font-medium">
              <span className="flex items-center gap-3">
                <Picture src={product.productImageUrl[0]} alt="" sizes="32px" className="aspect-4/5 w-8 object-cover" />
                <span className="wrap-anywhere">{product.name}</span>
              </span>
            </th>
            <td className="pr-2">
              <span className="flex items-center gap-2.5">
                <CountField product={product} row={row} stocktake={stocktake} />
                <span className="figures w-14 text-[0.8125rem] font-medium text-gold-deep">{row.difference}</span>
              </span>
            </td>
            <td className="figures pr-6 text-right text-clove">{row.after !== undefined && formatNumber(row.reserved)}</td>
            <td className="figures pr-8 text-right font-medium">{row.available !== undefined && formatNumber(row.available)}</td>
            <td className="pr-4">
              <MarkField product={product} row={row} stocktake={stocktake} />
            </td>
            <td className="pr-4">
              {row.fault === undefined ? <ShopState product={product} row={row} /> : <Fault id={faultId(product)}>{row.fault}</Fault>}
            </td>
            <td className="figures pr-4 text-clove">{countedText(product)}</td>
            <td className="text-right">
              <History product={product} onOpen={onOpen} />
            </td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

const Narrow = ({ products, stocktake, onOpen }: StockTableProps) => (
  <ul className="mt-2 border-t border-ink/80">
    {products.map((product) => {
      const row = readRow(product, stocktake);
      return (
        <li key={product._id} data-row={product._id} className="border-b border-sandal/70 py-3">
          <div className="flex items-center gap-3">
            <Picture src={product.productImageUrl[0]} alt="" sizes="36px" className="aspect-4/5 w-9 object-cover" />
            <span className="min-w-0 flex-1">
              <span className="block font-medium wrap-anywhere">{product.name}</span>
              <span className="figures block text-[0.8125rem] text-clove">
                {row.available === undefined
                  ? 'Not counted'
                  : `${formatNumber(row.reserved)} reserved, ${formatNumber(row.available)} to sell`}
                {product.counted && <span className="block wrap-anywhere">Counted {countedText(product)}</span>}
              </span>
              <History product={product} onOpen={onOpen} />
            </span>
            <span className="figures text-[0.8125rem] font-medium text-gold-deep">{row.difference}</span>
            <CountField product={product} row={row} stocktake={stocktake} />
          </div>
          {row.fault !== undefined && <Fault id={faultId(product)}>{row.fault}</Fault>}
        </li>
      );
    })}
  </ul>
);

/** Returns `2 Nov 2026, Mira`. */
const countedText = ({ counted }: StockedProduct): string => (counted === null ? '' : `${dayText(counted.at)}, ${counted.by}`);

type Row = ReturnType<typeof readRow>;
type CellProps = { readonly product: StockedProduct; readonly row: Row; readonly stocktake: Stocktake };

const faultId = ({ _id }: StockedProduct): string => `fault-${_id}`;

/** Goes on to the same field of the next product, as in a spreadsheet. */
const goOn = (event: KeyboardEvent<HTMLInputElement>): void => {
  const by = { Enter: event.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const { currentTarget } = event;
  const list = currentTarget.closest('tbody, ul');
  const fields = [...(list?.querySelectorAll<HTMLInputElement>('input') ?? [])].filter(
    ({ dataset, disabled }) => dataset['field'] === currentTarget.dataset['field'] && !disabled,
  );
  const next = fields[fields.indexOf(currentTarget) + by];
  next?.focus();
  next?.select();
};

const fieldStyle = (isFaulty: boolean, isChanged: boolean): string =>
  cx(
    'figures h-11 w-20 rounded-xs border px-3 text-right text-[0.9375rem] placeholder:text-left placeholder:text-clove/90 disabled:border-transparent disabled:bg-transparent lg:h-9',
    isFaulty
      ? 'border-sindoor bg-white shadow-[inset_0_0_0_1px_var(--color-sindoor)]'
      : isChanged
        ? 'border-gold-deep bg-haldi/35'
        : 'border-sandal bg-white/60 hover:border-ink',
  );

const CountField = ({ product, row, stocktake }: CellProps) => (
  <input
    aria-label={`On hand, ${product.name}`}
    aria-invalid={row.fault === undefined ? undefined : true}
    aria-describedby={row.fault === undefined ? undefined : faultId(product)}
    inputMode="numeric"
    autoComplete="off"
    data-field="count"
    value={row.count}
    onKeyDown={goOn}
    onChange={({ target }) => stocktake.type(product, { count: target.value })}
    className={fieldStyle(row.fault !== undefined, row.difference !== '')}
  />
);

const MarkField = ({ product, row, stocktake }: CellProps) => (
  <input
    aria-label={`Warn at, ${product.name}`}
    inputMode="numeric"
    autoComplete="off"
    placeholder="never"
    data-field="lowAt"
    // Without a count there is nothing to warn of.
    disabled={row.after === undefined}
    value={row.lowAt}
    onKeyDown={goOn}
    onChange={({ target }) => stocktake.type(product, { lowAt: target.value })}
    className={fieldStyle(false, row.touched && row.lowAt !== String(product.stock?.lowAt ?? ''))}
  />
);

const Fault = ({ id, children }: { readonly id: string; readonly children: string }) => (
  <span id={id} className="flex items-center gap-2 text-[0.8125rem] font-medium text-sindoor max-lg:mt-2">
    <CircleAlert className="size-4 shrink-0" strokeWidth={1.8} />
    <span>{children}</span>
  </span>
);

const states = {
  uncounted: { Icon: Minus, look: 'text-clove' },
  out: { Icon: X, look: 'text-sindoor' },
  low: { Icon: TriangleAlert, look: 'text-kesar' },
  sale: { Icon: Check, look: '' },
} as const;

const ShopState = ({ product, row: { available, lowAt } }: Pick<CellProps, 'product' | 'row'>) => {
  const isLow = available !== undefined && lowAt.trim() !== '' && available <= Number(lowAt);
  const state = available === undefined ? 'uncounted' : available === 0 ? 'out' : isLow ? 'low' : 'sale';
  const text = {
    uncounted: `Not counted, ${product.inStock ? 'for sale' : 'not for sale'}`,
    out: 'Out of stock',
    low: 'Low',
    sale: 'For sale',
  };
  const { Icon, look } = states[state];
  return (
    <span className={cx('inline-flex items-center gap-2', look)}>
      <Icon className={cx('size-4', state === 'sale' && 'text-khus')} strokeWidth={1.8} />
      <span>{text[state]}</span>
    </span>
  );
};

const History = ({ product, onOpen }: Pick<StockTableProps, 'onOpen'> & { readonly product: StockedProduct }) => (
  <button
    type="button"
    aria-label={`History of ${product.name}`}
    onClick={() => onOpen(product)}
    className="inline-flex min-h-11 items-center text-[0.875rem] font-medium text-oxblood hover:text-garnet lg:min-h-9"
  >
    <span className="link">History</span>
  </button>
);
