import { Trash2 } from 'lucide-react';
import { useId } from 'react';
import type { ProductView } from '#domain/product/view.ts';
import { messageOf } from '../../../lib/http/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { useRemoveProductMutation } from '../admin-api.ts';
import { useNotify } from '../Notices.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';

type DeleteProductProps = { readonly product: ProductView; readonly onChanged: () => void; readonly onClose: () => void };

/** Confirms a deletion and shows the product. */
export const DeleteProduct = ({ product, onChanged, onClose }: DeleteProductProps) => {
  const id = useId();
  const notify = useNotify();
  const [send, { isLoading: isRemoving }] = useRemoveProductMutation();
  const remove = async (): Promise<void> => {
    const { error } = await send(product._id);
    notify(error ? { kind: 'failure', message: messageOf(error) } : { kind: 'success', message: '✅ Product deleted successfully' });
    // Also after a refusal: it may have been deleted already.
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
