import { X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import type { StaffProductView } from '#domain/product/view.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import type { StockView } from '#domain/stock/view.ts';
import { categories } from '#domain/product/events.ts';
import { momentText } from '../../../lib/dates.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { Field, TextArea } from '../../../ui/form/Field.tsx';
import { Switch } from '../../../ui/form/Switch.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { Toast } from '../../../ui/overlay/Toast.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { useFocusWhenGone } from '../../../ui/use-focus-when-gone.ts';
import { TableHead } from '../TableHead.tsx';
import { usePricesQuery } from '../admin-api.ts';
import type { PriceSince } from '../admin-types.ts';
import { familyText } from '../family-text.ts';
import { PictureUpload } from './PictureUpload.tsx';
import { labels, findPicture, type ProductForm } from './product-form.ts';
import { type EditDifference, differencesBetween } from './stale-edit.ts';
import { type Conflict, type ProductEditor, useProductEditor } from './use-product-editor.ts';

type ProductDialogProps = { readonly product?: StaffProductView; readonly onChanged: () => void; readonly onClose: () => void };

const sheet =
  'top-6 mx-auto flex h-auto max-h-none w-full max-w-[60rem] animate-fade flex-col rounded-t-sm bg-ivory md:top-8 md:bottom-8 md:rounded-sm';

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
      <div className="flex items-center justify-between border-b border-sandal px-5 py-4 md:px-8">
        <h2 ref={title} id={titleId} tabIndex={-1} className="display text-h2">
          {product ? 'Edit Product' : 'Add Product'}
        </h2>
        <IconButton icon={X} label="Close" className="-mr-2.5" onClick={close} />
      </div>
      <div className="flex-1 overflow-y-auto px-5 py-6 md:px-8 md:py-7">
        <FaultCount count={editor.faultCount} />
        {editor.conflict && <StaleEdit key={editor.conflict.current.revision} {...editor.conflict} />}
        <form id={formId} noValidate onSubmit={editor.submit} className="grid gap-x-10 gap-y-6 md:grid-cols-[1fr_17rem]">
          <ProductFields {...editor} />
          <ProductSide {...editor} product={product} />
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
    </Dialog>
  );
};

const flags = ['inStock', 'bestsellers', 'isFeatured', 'isTrending'] as const;

type ProductSideProps = ProductEditor & { readonly product: StaffProductView | undefined };

const ProductSide = ({ form, field, addPicture, product }: ProductSideProps) => (
  <div className="content-start max-md:grid max-md:grid-cols-[5rem_1fr] max-md:gap-5">
    <Picture src={findPicture(form)} alt="" sizes="(min-width: 48rem) 272px, 80px" className="aspect-4/5 w-full object-cover" />
    <div className="min-w-0 md:mt-5">
      <TextArea {...textProps({ field }, 'productImageUrl')} rows={2} hint="Separate with commas" />
      <PictureUpload onUploaded={addPicture} />
    </div>
    <div className="divide-y divide-sandal border-y border-sandal max-md:col-span-2 md:mt-5">
      {flags.map((flag) => {
        if (flag === 'inStock' && product?.stock) return <CountedSwitch key={flag} stock={product.stock} />;
        const { error: _, ...input } = field(flag);
        return <Switch key={flag} {...input} label={labels[flag]} />;
      })}
    </div>
  </div>
);

/** The switch is not part of the form, because stock decides whether a counted product is in stock. */
const CountedSwitch = ({ stock }: { readonly stock: StockView }) => {
  const id = useId();
  return (
    <div className="pb-3">
      <Switch label={labels.inStock} disabled readOnly checked={stock.available > 0} aria-describedby={id} />
      <p id={id} className="text-xs text-clove">
        Counted: in stock while bottles are available. Change them with Stock in the list of products.
      </p>
    </div>
  );
};

/** Shows the product's prices from its events, newest first. */
const PriceHistory = ({ id }: { readonly id: ProductId }) => {
  const { data, isError } = usePricesQuery(id);
  return (
    <section aria-label="Price history" className="mt-9">
      <h3 className="display text-h3">Price history</h3>
      {isError && !data && <p className="mt-2 text-clove">The price history could not be loaded.</p>}
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

type TextField = { readonly [Field in keyof ProductForm]: ProductForm[Field] extends boolean ? never : Field }[keyof ProductForm];

const families = ['' as const, ...categories].map((value) => ({ value, text: familyText(value) }));

const textProps = ({ field }: Pick<ProductEditor, 'field'>, name: TextField) => ({ ...field(name), label: labels[name] });

const ProductFields = (editor: Pick<ProductEditor, 'form' | 'field'>) => {
  const text = (name: TextField) => textProps(editor, name);
  return (
    <div className="grid content-start gap-5 sm:grid-cols-2">
      <Field {...text('name')} className="sm:col-span-2" />
      <Field {...text('details')} className="sm:col-span-2" hint="The short line under the name" />
      <SelectField {...text('category')} options={families} defaultValue={editor.form.category} />
      <Field {...text('price')} placeholder="₹230.00" inputMode="decimal" />
      <Field {...text('ratingStar')} hint="0 to 5" inputMode="decimal" />
      <Field {...text('reviewsCount')} inputMode="numeric" />
      <TextArea {...text('productDescription')} className="sm:col-span-2" rows={2} />
      <TextArea {...text('description')} className="sm:col-span-2" rows={4} />
      <TextArea {...text('productDetails')} className="sm:col-span-2" rows={3} hint="Separate with commas" />
      <Field {...text('tag')} optional />
      <Field {...text('hsn')} optional inputMode="numeric" placeholder="3303, attars 3301" hint="For the tax" />
    </div>
  );
};
