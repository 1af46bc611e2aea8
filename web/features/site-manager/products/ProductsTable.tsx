import { Check, X } from 'lucide-react';
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

const columns = [
  'Name',
  { title: 'Price', className: 'pr-10! text-right!' },
  'Category',
  'Stock',
  'Shown',
  { title: 'Actions', className: 'pr-0! text-right!' },
];

export const ProductsTable = ({ products, ...actions }: ProductsProps) => (
  <table className="mt-3 w-full border-t border-ink/80">
    <TableHead columns={columns} />
    <tbody>
      {products.map((product) => (
        <tr key={product._id} data-row={product._id} className="h-13 border-b border-sandal/70 text-[0.875rem] hover:bg-white">
          <td className="pr-4">
            <span className="flex items-center gap-3 py-1">
              <Picture src={product.productImageUrl[0]} alt="" sizes="32px" className="aspect-4/5 w-8 object-cover" />
              <span className="min-w-0 wrap-anywhere">
                <span className="block leading-tight font-medium">{product.name}</span>
                <span className="block text-[0.8125rem] leading-tight text-clove">{product.details}</span>
              </span>
            </span>
          </td>
          <td className="figures pr-10 text-right">{product.price}</td>
          <td className="pr-4">
            <Family category={product.category} />
          </td>
          <td className="pr-4">
            <Stock {...product} />
          </td>
          <td className="pr-4 text-clove">{shownText(product)}</td>
          <td className="text-right whitespace-nowrap">
            <Actions product={product} {...actions} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Where the product stands out, and its tag. */
const shownText = ({ isFeatured, bestsellers, tag }: StaffProductView): string =>
  [...new Set([isFeatured && 'Featured', bestsellers && 'Bestseller', tag])].filter(Boolean).join(', ');

export const ProductCards = ({ products, ...actions }: ProductsProps) => (
  <ul className="mt-2 border-t border-ink/80">
    {products.map((product) => (
      <li key={product._id} data-row={product._id} className="border-b border-sandal/70 py-2.5">
        <div className="flex items-center gap-3">
          <Picture src={product.productImageUrl[0]} alt="" sizes="40px" className="aspect-4/5 w-10 object-cover" />
          <div className="min-w-0 flex-1 text-[0.875rem]">
            <p className="text-[1rem] font-medium wrap-anywhere">{product.name}</p>
            <p className="figures text-clove">{[product.price || 'No price', familyText(product.category)].join(', ')}</p>
            <Stock {...product} />
          </div>
        </div>
        <div className="flex justify-end">
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

type ActionsProps = Pick<ProductsProps, 'onEdit' | 'onStock' | 'onDelete'> & { readonly product: StaffProductView };

const Actions = ({ product, onEdit, onStock, onDelete }: ActionsProps) => (
  <span className="inline-flex gap-4">
    <Action label={`Edit ${product.name}`} onClick={() => onEdit(product)}>
      Edit
    </Action>
    <Action label={`Stock of ${product.name}`} onClick={() => onStock(product)}>
      Stock
    </Action>
    <Action label={`Delete ${product.name}`} isBad onClick={() => onDelete(product)}>
      Delete
    </Action>
  </span>
);

type ActionProps = { readonly label: string; readonly isBad?: boolean; readonly onClick: () => void; readonly children: string };

const Action = ({ label, isBad = false, onClick, children }: ActionProps) => (
  <button
    type="button"
    aria-label={label}
    onClick={onClick}
    className={cx(
      'inline-flex min-h-11 items-center text-[0.875rem] font-medium lg:min-h-9',
      isBad ? 'text-sindoor' : 'text-oxblood hover:text-garnet',
    )}
  >
    <span className="link">{children}</span>
  </button>
);
