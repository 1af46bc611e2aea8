import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useId } from 'react';
import type { ProductView } from '#domain/product/view.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Toast } from '../../../ui/overlay/Toast.tsx';
import { useFocusReturn } from '../../../ui/overlay/use-focus-return.ts';
import { PriceHistory } from './PriceHistory.tsx';
import { ProductFields } from './ProductFields.tsx';
import { ProductSide } from './ProductSide.tsx';
import { SaveProblems } from './SaveProblems.tsx';
import { StaleEdit } from './StaleEdit.tsx';
import { useProductEditor } from './use-product-editor.ts';

type ProductDialogProps = {
  /** Whose edit it is; none for a new one. */
  readonly product?: ProductView;
  readonly onChanged: () => void;
  readonly onClose: () => void;
};

const sheet =
  'fixed inset-x-0 top-6 bottom-0 z-50 mx-auto flex max-w-[60rem] animate-fade flex-col rounded-t-sm bg-ivory shadow-modal md:top-8 md:bottom-8 md:rounded-sm';

/**
 * The form of a product, to add one or to edit one. Only its buttons and Escape close it, as a click beside it would lose what was typed,
 * and nothing does while it is saved.
 */
export const ProductDialog = ({ product, onChanged, onClose }: ProductDialogProps) => {
  const editor = useProductEditor(product, onChanged, onClose);
  const formId = useId();
  const stay = (event: Event) => event.preventDefault();
  // The alert over the form is closed first, and by itself.
  const escape = (event: Event) => editor.failure !== undefined && stay(event);
  return (
    <Dialog.Root open onOpenChange={() => !editor.isSaving && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-umber/55" />
        <Dialog.Content
          {...useFocusReturn()}
          aria-describedby={undefined}
          onInteractOutside={stay}
          onEscapeKeyDown={escape}
          className={sheet}
        >
          <div className="flex items-center justify-between border-b border-sandal px-5 py-4 md:px-8">
            <Dialog.Title className="display text-h2">{product ? 'Edit Product' : 'Add Product'}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton icon={X} label="Close" className="-mr-2.5" />
            </Dialog.Close>
          </div>
          <div className="flex-1 overflow-y-auto px-5 py-6 md:px-8 md:py-7">
            <SaveProblems faults={editor.faults} attempt={editor.attempt} formId={formId} />
            {editor.conflict && <StaleEdit key={editor.conflict.current.revision} {...editor.conflict} isSaving={editor.isSaving} />}
            <form
              id={formId}
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                void editor.save();
              }}
              className="grid gap-x-10 gap-y-6 md:grid-cols-[1fr_17rem]"
            >
              <ProductFields {...editor} />
              <ProductSide {...editor} />
            </form>
            {product && <PriceHistory id={product._id} />}
          </div>
          <div className="flex justify-end gap-3 border-t border-sandal px-5 py-4 md:px-8">
            <Button kind="quiet" disabled={editor.isSaving} onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              form={formId}
              className="min-w-40"
              disabled={!!editor.conflict}
              busy={editor.isSaving ? 'Saving...' : undefined}
            >
              Save Product
            </Button>
          </div>
          {editor.failure !== undefined && <Toast kind="failure" stays message={editor.failure} onClose={editor.forgetFailure} />}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
