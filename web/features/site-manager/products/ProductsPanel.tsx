import { Plus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { StaffProductView } from '#domain/product/view.ts';
import { getMessage } from '../../../lib/http/api.ts';
import { formatNumber } from '../../../lib/format.ts';
import { createPagedList } from '../../../lib/paged-list.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { ListFrame } from '../ListFrame.tsx';
import { type ProductList, productLists } from '../admin-types.ts';
import { type ProductFilter, ROWS, useProductCountsQuery, useProductsInfiniteQuery, useRemoveProductMutation } from '../admin-api.ts';
import { useNotify } from '../Notices.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { Segments } from '../Segments.tsx';
import { StockDialog } from '../stock/StockDialog.tsx';
import { useFilters, usePagesShown } from '../use-panel.ts';
import { ProductDialog } from './ProductDialog.tsx';
import { ProductCards, ProductsTable } from './ProductsTable.tsx';

type List = { readonly text: string; readonly filter: ProductFilter; /** What an empty list means. */ readonly empty: string };

const lists: Readonly<Record<ProductList, List>> = {
  all: { text: 'All', filter: {}, empty: 'No products found' },
  outOfStock: { text: 'Out of stock', filter: { inStock: false }, empty: 'Everything is in stock' },
  featured: { text: 'Featured', filter: { isFeatured: true }, empty: 'Nothing is featured' },
  bestsellers: { text: 'Bestsellers', filter: { bestsellers: true }, empty: 'Nothing is marked as a bestseller' },
  trending: { text: 'Trending', filter: { isTrending: true }, empty: 'Nothing is trending' },
  withoutPicture: { text: 'Without a picture', filter: { pictured: false }, empty: 'Every product has a picture' },
};

type Task = { readonly kind: 'add' } | { readonly kind: 'edit' | 'stock' | 'delete'; readonly product: StaffProductView };

export const ProductsPanel = ({ onChanged }: { readonly onChanged: () => void }) => {
  const [valueOf, filter] = useFilters();
  const q = valueOf('q');
  const chosen = productLists.find((each) => each === valueOf('status')) ?? 'all';
  const { data: counts } = useProductCountsQuery();
  const [task, setTask] = useState<Task>();
  const count = usePagesShown(ROWS);
  const list = createPagedList(useProductsInfiniteQuery({ ...(q !== '' && { q }), ...lists[chosen].filter }, count.options), count);
  const isWide = useMedia('(min-width: 64rem)');
  const done = () => setTask(undefined);
  const actions = {
    onEdit: (product: StaffProductView) => setTask({ kind: 'edit', product }),
    onStock: (product: StaffProductView) => setTask({ kind: 'stock', product }),
    onDelete: (product: StaffProductView) => setTask({ kind: 'delete', product }),
  };
  return (
    <section aria-label="Products">
      <PanelHead title="Products" count={counts && formatNumber(counts.all)}>
        <SearchBox label="Search products..." q={q} onSearch={(text) => filter({ q: text })} className="max-lg:basis-full lg:w-68" />
        <Button className="max-lg:flex-1 lg:min-h-10" onClick={() => setTask({ kind: 'add' })}>
          <Plus className="size-4" strokeWidth={1.5} />
          Add Product
        </Button>
      </PanelHead>
      <div className="mt-3">
        <Segments
          label="Lists"
          options={productLists.map((value) => ({ value, text: lists[value].text, count: counts?.[value] }))}
          chosen={chosen}
          onChoose={(status) => filter({ status: status === 'all' ? '' : status })}
        />
      </div>
      <ListFrame
        list={list}
        loading="Loading products..."
        empty={
          <EmptyState title={q === '' ? lists[chosen].empty : 'No products found'}>{q !== '' && `Nothing is called “${q}”.`}</EmptyState>
        }
      >
        {(products) => (isWide ? <ProductsTable products={products} {...actions} /> : <ProductCards products={products} {...actions} />)}
      </ListFrame>
      {task?.kind === 'add' && <ProductDialog onChanged={onChanged} onClose={done} />}
      {task?.kind === 'edit' && <ProductDialog product={task.product} onChanged={onChanged} onClose={done} />}
      {task?.kind === 'stock' && <StockDialog product={task.product} onChanged={onChanged} onClose={done} />}
      {task?.kind === 'delete' && <DeleteProduct product={task.product} onChanged={onChanged} onClose={done} />}
    </section>
  );
};

type DeleteProductProps = { readonly product: StaffProductView; readonly onChanged: () => void; readonly onClose: () => void };

const DeleteProduct = ({ product, onChanged, onClose }: DeleteProductProps) => {
  const id = useId();
  const notify = useNotify();
  const [send, { isLoading: isRemoving }] = useRemoveProductMutation();
  const remove = async (): Promise<void> => {
    const { error } = await send(product._id);
    notify(error ? { kind: 'failure', message: getMessage(error) } : { kind: 'success', message: '✅ Product deleted successfully' });
    // The catalogue is refetched after a refusal too, because the product may be deleted already.
    onChanged();
    onClose();
  };
  const keep = (): void => {
    if (!isRemoving) onClose();
  };
  return (
    <Dialog
      open
      role="alertdialog"
      onEscape={keep}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-description`}
      className="m-auto w-[calc(100%-2rem)] max-w-md animate-fade rounded-sm bg-ivory p-7"
    >
      <div className="flex gap-5">
        <Picture src={product.productImageUrl[0]} alt="" sizes="64px" className="aspect-4/5 w-16 self-start rounded-xs object-cover" />
        <div className="min-w-0">
          <h2 id={`${id}-title`} className="display text-h3 wrap-anywhere">
            Delete {product.name}
          </h2>
          <p id={`${id}-description`} className="mt-1.5 text-clove">
            Are you sure you want to delete this product?
          </p>
        </div>
      </div>
      <div className="mt-7 flex justify-end gap-3">
        <Button kind="quiet" disabled={isRemoving} onClick={keep}>
          Keep product
        </Button>
        <Button kind="destructive" busy={isRemoving ? 'Deleting...' : undefined} onClick={() => void remove()}>
          <Trash2 className="size-4" strokeWidth={1.5} />
          Delete product
        </Button>
      </div>
    </Dialog>
  );
};
