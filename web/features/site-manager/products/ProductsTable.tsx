import { Boxes, Check, Pencil, Trash2, X } from 'lucide-react';
import type { ProductCategory } from '#domain/product/events.ts';
import type { StaffProductView } from '#domain/product/view.ts';
import { cx } from '../../../ui/cx.ts';
import { Picture } from '../../../ui/Picture.tsx';
import { TableHead } from '../TableHead.tsx';
import { familyText } from '../family-text.ts';
import { StockFigures } from '../stock/StockFigures.tsx';

type ProductsProps = {
  readonly products: readonly StaffProductView[];
  readonly onEdit: (product: StaffProductView) => void;
  readonly onStock: (product: StaffProductView) => void;
  readonly onDelete: (product: StaffProductView) => void;
};

const CELL = 'py-2.5 pr-6 text-[0.9375rem]';

const columns = [
  'Name',
  { title: 'Price', className: 'pr-14! text-right!' },
  'Category',
  'Stock',
  { title: 'Actions', className: 'pr-3! text-right!' },
];

export const ProductsTable = ({ products, ...actions }: ProductsProps) => (
  <table className="mt-6 w-full border-t border-ink/80">
    <TableHead columns={columns} />
    <tbody>
      {products.map((product) => (
        <tr key={product._id} data-row={product._id} className="border-b border-sandal/70 hover:bg-white">
          <td className={CELL}>
            <span className="flex items-center gap-4">
              <Picture src={product.productImageUrl[0]} alt="" sizes="44px" className="aspect-4/5 w-11 rounded-xs object-cover" />
              <span className="min-w-0 wrap-anywhere">
                <span className="block font-medium">{product.name}</span>
                <span className="block text-[0.8125rem] text-clove">{product.details}</span>
              </span>
            </span>
          </td>
          <td className={cx(CELL, 'figures pr-14! text-right')}>{product.price}</td>
          <td className={CELL}>
            <Family category={product.category} />
          </td>
          <td className={CELL}>
            <Stock {...product} />
          </td>
          <td className="py-2.5 text-right whitespace-nowrap">
            <Actions product={product} {...actions} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

export const ProductCards = ({ products, ...actions }: ProductsProps) => (
  <ul className="mt-6 space-y-3">
    {products.map((product) => (
      <li key={product._id} data-row={product._id} className="rounded-sm border border-sandal bg-white p-4">
        <div className="flex gap-4">
          <Picture src={product.productImageUrl[0]} alt="" sizes="64px" className="aspect-4/5 w-16 self-start rounded-xs object-cover" />
          <div className="min-w-0 flex-1">
            <p className="font-medium wrap-anywhere">{product.name}</p>
            <dl className="mt-1.5 grid grid-cols-[5rem_1fr] gap-y-0.5 text-[0.875rem]">
              <dt className="text-clove">Price</dt>
              <dd className="figures">{product.price || 'None'}</dd>
              <dt className="text-clove">Category</dt>
              <dd>{familyText(product.category)}</dd>
              <dt className="text-clove">Stock</dt>
              <dd>
                <Stock {...product} />
              </dd>
            </dl>
          </div>
        </div>
        <div className="mt-3 flex justify-end border-t border-sandal/70 pt-2">
          <Actions product={product} {...actions} />
        </div>
      </li>
    ))}
  </ul>
);

const grounds: Readonly<Record<ProductCategory, string>> = {
  oud: 'bg-oud',
  floral: 'bg-floral-deep',
  fresh: 'bg-fresh-deep',
  musk: 'bg-musk-deep',
  attar: 'bg-attar',
};

const Family = ({ category }: Pick<StaffProductView, 'category'>) => (
  <span className="inline-flex items-center gap-2.5">
    {category !== '' && <span aria-hidden="true" className={cx('size-2 rounded-full', grounds[category])} />}
    {familyText(category)}
  </span>
);

const Stock = ({ inStock, stock }: Pick<StaffProductView, 'inStock' | 'stock'>) => {
  if (stock) return <StockFigures {...stock} />;
  const Icon = inStock ? Check : X;
  return (
    <>
      <span className={cx('inline-flex items-center gap-2', !inStock && 'text-sindoor')}>
        <Icon className={cx('size-4', inStock && 'text-khus')} strokeWidth={2} />
        {inStock ? 'Yes' : 'No'}
      </span>
      <span className="block text-[0.8125rem] text-clove">Not counted</span>
    </>
  );
};

const ACTION = 'inline-flex min-h-11 items-center gap-2 rounded-xs px-3 text-[0.875rem] font-medium';

type ActionsProps = Pick<ProductsProps, 'onEdit' | 'onStock' | 'onDelete'> & { readonly product: StaffProductView };

const Actions = ({ product, onEdit, onStock, onDelete }: ActionsProps) => (
  <span className="inline-flex gap-1">
    <button type="button" aria-label={`Edit ${product.name}`} onClick={() => onEdit(product)} className={cx(ACTION, 'hover:bg-ink/5')}>
      <Pencil className="size-4" strokeWidth={1.5} />
      Edit
    </button>
    <button type="button" aria-label={`Stock of ${product.name}`} onClick={() => onStock(product)} className={cx(ACTION, 'hover:bg-ink/5')}>
      <Boxes className="size-4" strokeWidth={1.5} />
      Stock
    </button>
    <button
      type="button"
      aria-label={`Delete ${product.name}`}
      onClick={() => onDelete(product)}
      className={cx(ACTION, 'text-sindoor hover:bg-sindoor-wash')}
    >
      <Trash2 className="size-4" strokeWidth={1.5} />
      Delete
    </button>
  </span>
);
