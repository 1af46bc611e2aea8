import { Trash2 } from 'lucide-react';
import { AlertDialog } from 'radix-ui';
import type { ProductView } from '#domain/product/view.ts';
import { messageOf } from '../../../lib/http/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { useRemoveProductMutation } from '../admin-api.ts';
import { useNotify } from '../Notices.tsx';
import { useFocusReturn } from '../../../ui/overlay/use-focus-return.ts';

type DeleteProductProps = { readonly product: ProductView; readonly onChanged: () => void; readonly onClose: () => void };

/** Confirms a deletion and shows the product. */
export const DeleteProduct = ({ product, onChanged, onClose }: DeleteProductProps) => {
  const notify = useNotify();
  const [send, { isLoading: isRemoving }] = useRemoveProductMutation();
  const remove = async (): Promise<void> => {
    const { error } = await send(product._id);
    notify(error ? { kind: 'failure', message: messageOf(error) } : { kind: 'success', message: '✅ Product deleted successfully' });
    // Also after a refusal: it may have been deleted already.
    onChanged();
    onClose();
  };
  return (
    <AlertDialog.Root open onOpenChange={() => !isRemoving && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 animate-fade bg-umber/55" />
        <AlertDialog.Content
          {...useFocusReturn()}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto max-w-md -translate-y-1/2 animate-fade rounded-sm bg-ivory p-7 shadow-modal"
        >
          <div className="flex gap-5">
            <Picture src={product.productImageUrl[0]} alt="" sizes="64px" className="aspect-4/5 w-16 self-start rounded-xs object-cover" />
            <div className="min-w-0">
              <AlertDialog.Title className="display text-h3 wrap-anywhere">Delete {product.name}</AlertDialog.Title>
              <AlertDialog.Description className="mt-1.5 text-clove">Are you sure you want to delete this product?</AlertDialog.Description>
            </div>
          </div>
          <div className="mt-7 flex justify-end gap-3">
            <AlertDialog.Cancel asChild>
              <Button kind="quiet" disabled={isRemoving}>
                Keep it
              </Button>
            </AlertDialog.Cancel>
            <Button kind="destructive" busy={isRemoving ? 'Deleting...' : undefined} onClick={() => void remove()}>
              <Trash2 className="size-4" strokeWidth={1.5} />
              Delete
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
};
