import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ProductView } from '#domain/product/view.ts';
import { counted } from '../../../lib/numbers.ts';
import { pagedListOf, useShownCount } from '../../../lib/paged-list.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { ListFrame } from '../ListFrame.tsx';
import { ROWS, useProductsInfiniteQuery } from '../admin-api.ts';
import { PanelHead } from '../PanelHead.tsx';
import { useFilter } from '../use-panel.ts';
import { DeleteProduct } from './DeleteProduct.tsx';
import { ProductDialog } from './ProductDialog.tsx';
import { ProductCards, ProductsTable } from './ProductsTable.tsx';

/** The dialog that is open. */
type Task = { readonly kind: 'add' } | { readonly kind: 'edit' | 'delete'; readonly product: ProductView };

/** Products by name. `onChanged` is called after every change of a product. */
export const ProductsPanel = ({ onChanged }: { readonly onChanged: () => void }) => {
  const [q, setQ] = useFilter('q');
  const [task, setTask] = useState<Task>();
  const count = useShownCount(ROWS);
  const list = pagedListOf(useProductsInfiniteQuery(q === '' ? {} : { q }, count.options), count);
  const isWide = useMedia('(min-width: 48rem)');
  const total = list.state === 'loaded' ? list.total : undefined;
  const done = () => setTask(undefined);
  const actions = {
    onEdit: (product: ProductView) => setTask({ kind: 'edit', product }),
    onDelete: (product: ProductView) => setTask({ kind: 'delete', product }),
  };
  return (
    <section aria-label="Products">
      <PanelHead title="Products" count={total === undefined ? undefined : counted(total)}>
        <SearchBox label="Search products..." q={q} onSearch={setQ} className="sm:w-72" />
        <Button className="max-sm:w-full" onClick={() => setTask({ kind: 'add' })}>
          <Plus className="size-4" strokeWidth={1.5} />
          Add Product
        </Button>
      </PanelHead>
      <ListFrame
        list={list}
        loading="Loading products..."
        skeleton={<Skeleton className="mt-6 h-96" />}
        empty={<EmptyState title="No products found">{q !== '' && `Nothing is called “${q}”.`}</EmptyState>}
      >
        {(products) => (isWide ? <ProductsTable products={products} {...actions} /> : <ProductCards products={products} {...actions} />)}
      </ListFrame>
      {task?.kind === 'add' && <ProductDialog onChanged={onChanged} onClose={done} />}
      {task?.kind === 'edit' && <ProductDialog product={task.product} onChanged={onChanged} onClose={done} />}
      {task?.kind === 'delete' && <DeleteProduct product={task.product} onChanged={onChanged} onClose={done} />}
    </section>
  );
};
