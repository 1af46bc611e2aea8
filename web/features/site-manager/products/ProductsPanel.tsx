import { Plus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { StaffProductView } from '#domain/product/view.ts';
import { getMessage } from '../../../lib/http/api.ts';
import { formatNumber } from '../../../lib/format.ts';
import { createPagedList, useShownCount } from '../../../lib/paged-list.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { ListFrame } from '../ListFrame.tsx';
import { ROWS, useProductsInfiniteQuery, useRemoveProductMutation } from '../admin-api.ts';
import { useNotify } from '../Notices.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { StockDialog } from '../stock/StockDialog.tsx';
import { useFilter } from '../use-panel.ts';
import { ProductDialog } from './ProductDialog.tsx';
import { ProductCards, ProductsTable } from './ProductsTable.tsx';

type Task = { readonly kind: 'add' } | { readonly kind: 'edit' | 'stock' | 'delete'; readonly product: StaffProductView };

export const ProductsPanel = ({ onChanged }: { readonly onChanged: () => void }) => {
  const [q, setQ] = useFilter('q');
  const [task, setTask] = useState<Task>();
  const count = useShownCount(ROWS);
  const list = createPagedList(useProductsInfiniteQuery(q === '' ? {} : { q }, count.options), count);
  const isWide = useMedia('(min-width: 64rem)');
  const total = list.state === 'loaded' ? list.total : undefined;
  const done = () => setTask(undefined);
  const actions = {
    onEdit: (product: StaffProductView) => setTask({ kind: 'edit', product }),
    onStock: (product: StaffProductView) => setTask({ kind: 'stock', product }),
    onDelete: (product: StaffProductView) => setTask({ kind: 'delete', product }),
  };
  return (
    <section aria-label="Products">
      <PanelHead title="Products" count={total === undefined ? undefined : formatNumber(total)}>
        <SearchBox label="Search products..." q={q} onSearch={setQ} className="sm:w-72" />
        <Button className="max-sm:w-full" onClick={() => setTask({ kind: 'add' })}>
          <Plus className="size-4" strokeWidth={1.5} />
          Add Product
        </Button>
      </PanelHead>
      <ListFrame
        list={list}
        loading="Loading products..."
        empty={<EmptyState title="No products found">{q !== '' && `Nothing is called “${q}”.`}</EmptyState>}
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
          Keep it
        </Button>
        <Button kind="destructive" busy={isRemoving ? 'Deleting...' : undefined} onClick={() => void remove()}>
          <Trash2 className="size-4" strokeWidth={1.5} />
          Delete
        </Button>
      </div>
    </Dialog>
  );
};
