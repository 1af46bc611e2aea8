import { X } from 'lucide-react';
import { use, useEffect, useId, useRef } from 'react';
import type { StaffProductView } from '#domain/product/view.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { momentText } from '../../../lib/dates.ts';
import { numberWord } from '../../../lib/format.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { Toast } from '../../../ui/overlay/Toast.tsx';
import { useFocusWhenGone } from '../../../ui/use-focus-when-gone.ts';
import { TableHead } from '../TableHead.tsx';
import { usePricesQuery } from '../admin-api.ts';
import type { PriceSince } from '../admin-types.ts';
import { PreviewSlot } from './preview-slot.ts';
import { previewProduct, type ProductForm } from './product-form.ts';
import { ProductFields } from './ProductFields.tsx';
import { type EditDifference, differencesBetween } from './stale-edit.ts';
import { type Conflict, useProductEditor } from './use-product-editor.ts';

type ProductDialogProps = { readonly product?: StaffProductView; readonly onChanged: () => void; readonly onClose: () => void };

const sheet =
  'top-6 mx-auto flex h-auto max-h-none w-full max-w-[76rem] animate-fade flex-col rounded-t-sm bg-ivory lg:bottom-6 lg:rounded-sm';

/**
 * Adds or edits a product. A click beside the dialog does not close it, because the typed text would be lost, and nothing closes it while
 * saving.
 */
export const ProductDialog = ({ product, onChanged, onClose }: ProductDialogProps) => {
  const editor = useProductEditor(product, onChanged, onClose);
  const formId = useId();
  const titleId = useId();
  const title = useFocusWhenGone<HTMLHeadingElement>(!editor.conflict);
  const close = (): void => {
    if (!editor.isSaving) onClose();
  };
  return (
    // Escape first closes an open error message.
    <Dialog open onEscape={() => editor.failure === undefined && close()} aria-labelledby={titleId} className={sheet}>
      <div className="flex items-center justify-between gap-4 border-b border-sandal py-2.5 pr-3 pl-5 lg:pl-8">
        <h2 ref={title} id={titleId} tabIndex={-1} className="display text-[1.75rem] leading-tight">
          {product ? 'Edit Product' : 'Add Product'}
        </h2>
        <IconButton icon={X} label="Close" onClick={close} />
      </div>
      <div className="flex-1 overflow-y-auto">
        <div className="grid min-h-full lg:grid-cols-[minmax(0,1fr)_21rem]">
          <div className="px-5 py-5 lg:px-8 lg:py-6">
            <FaultCount count={editor.faultCount} />
            {editor.conflict && <StaleEdit key={editor.conflict.current.revision} {...editor.conflict} />}
            <form id={formId} noValidate onSubmit={editor.submit} className="grid gap-8">
              <ProductFields editor={editor} product={product} />
            </form>
            {product && <PriceHistory id={product._id} />}
          </div>
          <Preview form={editor.form} product={product} />
        </div>
      </div>
      <div className="flex items-center justify-end gap-3 border-t border-sandal px-5 py-3.5 lg:px-8">
        {product && <Changed count={editor.changed} />}
        <Button kind="quiet" disabled={editor.isSaving} onClick={onClose}>
          {product ? 'Keep as it was' : 'Add nothing'}
        </Button>
        <Button
          type="submit"
          form={formId}
          className="min-w-40 max-sm:flex-1"
          disabled={!!editor.conflict}
          busy={editor.isSaving ? 'Saving...' : undefined}
        >
          Save Product
        </Button>
      </div>
      {editor.failure !== undefined && <Toast kind="failure" stays message={editor.failure} onClose={editor.forgetFailure} />}
    </Dialog>
  );
};

const Changed = ({ count: changed }: { readonly count: number }) => (
  <p className="mr-auto text-[0.875rem] text-clove max-sm:hidden">
    {changed === 0 ? 'Nothing changed yet' : `${numberWord(changed)} ${changed === 1 ? 'field' : 'fields'} changed`}
  </p>
);

type PreviewProps = { readonly form: ProductForm; readonly product: StaffProductView | undefined };

const Preview = ({ form, product }: PreviewProps) => {
  const renderPreview = use(PreviewSlot);
  return (
    <div className="border-sandal px-5 pb-5 max-lg:border-t lg:border-l lg:bg-paper lg:px-6">
      <div className="lg:sticky lg:top-0 lg:max-h-[calc(100dvh-11rem)] lg:overflow-y-auto lg:pb-5">
        <h3 className="py-5 text-[0.9375rem] font-medium lg:pb-3">As the shopper sees it</h3>
        {renderPreview(previewProduct(form, product))}
      </div>
    </div>
  );
};

/** Shows the product's prices from its events, newest first. */
const PriceHistory = ({ id }: { readonly id: ProductId }) => {
  const { data, isError } = usePricesQuery(id);
  return (
    <section aria-label="Price history" className="mt-9">
      <h3 className="display text-h3">Price history</h3>
      {isError && !data && <p className="mt-2 text-clove">The price history could not be loaded. Check your connection.</p>}
      {data && <Prices prices={data} />}
    </section>
  );
};

const who: Readonly<Record<string, string>> = { admin: 'An admin', system: 'The opening catalogue' };

const Prices = ({ prices }: { readonly prices: readonly PriceSince[] }) => (
  <table className="mt-3 w-full border-t border-ink/80">
    <TableHead columns={['Price', 'Since', 'Set by']} />
    <tbody>
      {prices.map(({ price, since, by }) => (
        <tr key={since} className="border-b border-sandal/70 text-[0.9375rem]">
          <td className="figures py-3 pr-6">{price || 'Not for sale'}</td>
          <td className="figures py-3 pr-6">{momentText(since)}</td>
          <td className="py-3 text-clove">{who[by.kind] ?? 'Somebody'}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const FaultCount = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <Alert className="mb-6">{count === 1 ? 'Please correct the marked field.' : `Please correct the ${count} marked fields.`}</Alert>
  );

/** Shows both versions after an edit conflict, and lets the admin choose. Nothing is lost before that. */
const StaleEdit = ({ base, mine, current, keepMine, takeTheirs }: Conflict) => {
  const versions = useRef<HTMLElement>(null);
  // The conflict is shown above the form, whose end is in view when saving.
  useEffect(() => versions.current?.focus(), []);
  return (
    <section ref={versions} tabIndex={-1} aria-label="Two versions" className="mb-7 rounded-sm border border-sandal bg-white p-5">
      <Alert kind="error">Somebody else has changed this product meanwhile. Choose which version to keep.</Alert>
      <table className="mt-4 w-full table-fixed">
        <TableHead columns={['Field', 'What you wrote', 'What it is now']} />
        <tbody>
          {differencesBetween(mine, base, current).map((difference) => (
            <DifferenceRow key={difference.field} {...difference} />
          ))}
        </tbody>
      </table>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button onClick={keepMine}>Save what I wrote</Button>
        <Button kind="outline" onClick={takeTheirs}>
          Take what it is now
        </Button>
      </div>
    </section>
  );
};

const DifferenceRow = ({ label, mine, theirs }: EditDifference) => (
  <tr className="border-b border-sandal/70 align-top text-[0.9375rem]">
    <th scope="row" className="py-3 pr-4 text-left font-normal text-clove">
      {label}
    </th>
    <td className="py-3 pr-4 wrap-anywhere">
      {mine === undefined ? <span className="text-clove">You left it as it was</span> : mine || 'Nothing'}
    </td>
    <td className="py-3 wrap-anywhere">{theirs || 'Nothing'}</td>
  </tr>
);
