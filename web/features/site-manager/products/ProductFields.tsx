import { type ReactNode, useId } from 'react';
import { categories } from '#domain/product/events.ts';
import type { StaffProductView } from '#domain/product/view.ts';
import { formatNumber } from '../../../lib/format.ts';
import { Field, TextArea } from '../../../ui/form/Field.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { Switch } from '../../../ui/form/Switch.tsx';
import { familyText } from '../family-text.ts';
import { labels, type ProductForm } from './product-form.ts';
import { ProductPictures } from './ProductPictures.tsx';
import type { ProductEditor } from './use-product-editor.ts';

type TextField = { readonly [Name in keyof ProductForm]: ProductForm[Name] extends boolean ? never : Name }[keyof ProductForm];

const families = ['' as const, ...categories].map((value) => ({ value, text: familyText(value) }));

/** Where each switch places a product. */
const flags = {
  inStock: 'Can be bought',
  bestsellers: 'On Home under Bestsellers; early in the shop',
  isFeatured: 'One of three at the top of Home; first in the shop',
  isTrending: 'On no page; in lists that other programs ask for',
} as const;
const flagNames = Object.keys(flags) as (keyof typeof flags)[];

const THIRD = 'sm:col-span-2';
const HALF = 'sm:col-span-3';
const TWO_THIRDS = 'sm:col-span-4';
const WHOLE = 'sm:col-span-6';

type ProductFieldsProps = { readonly editor: ProductEditor; readonly product: StaffProductView | undefined };

/** The fields in the order of where they are seen; each says where that is. */
export const ProductFields = ({ editor, product }: ProductFieldsProps) => {
  const { form, field, pictures, setPictures, addPicture } = editor;
  const text = (name: TextField, className: string) => ({ ...field(name), label: labels[name], className });
  return (
    <>
      <Group title="The card" where="in lists, search and cart">
        <Field {...text('name', TWO_THIRDS)} hint="On the card, the page, the order and its invoice" />
        <Field {...text('price', THIRD)} placeholder="₹230.00" inputMode="decimal" hint="Without one it is not for sale" />
        <Field {...text('details', TWO_THIRDS)} hint="The scent line under the name" />
        <Field {...text('tag', THIRD)} optional hint="On the picture, top left" />
        <ProductPictures pictures={pictures} onChange={setPictures} onUploaded={addPicture} error={field('productImageUrl').error}>
          <TextArea {...text('productImageUrl', 'pb-2')} rows={2} hint="Separate with commas" />
        </ProductPictures>
      </Group>
      <Group title="The notes" where="the ruled list on its page; commas as you like">
        <Field {...text('top', THIRD)} optional />
        <Field {...text('heart', THIRD)} optional />
        <Field {...text('base', THIRD)} optional />
      </Group>
      <Group title="The page" where="below price and button">
        <TextArea {...text('productDescription', WHOLE)} rows={2} hint="Two sentences above the notes" />
        <TextArea {...text('description', WHOLE)} rows={4} hint="Under “Product Details”" />
        <TextArea {...text('productDetails', WHOLE)} rows={3} hint="The list with the gold dashes. Separate with commas." />
      </Group>
      <Group title="In the shop" where="where it stands">
        <div className="grid gap-x-8 sm:col-span-6 sm:grid-cols-2">
          {flagNames.map((flag) => {
            if (flag === 'inStock' && product?.stock) return <CountedSwitch key={flag} {...product.stock} />;
            const { error: _, ...input } = field(flag);
            return <FlagSwitch key={flag} input={input} label={labels[flag]} where={flags[flag]} />;
          })}
        </div>
        <SelectField {...text('category', HALF)} options={families} defaultValue={form.category} hint="Its shelf, and its colour" />
        <Field {...text('hsn', HALF)} optional inputMode="numeric" placeholder="3303, attars 3301" hint="Its tax on the invoice" />
        <Field {...text('ratingStar', HALF)} hint="Stars under the name, 0 to 5, from before this shop" inputMode="decimal" />
        <Field {...text('reviewsCount', HALF)} hint="Beside the stars, joined with the reviews written here" inputMode="numeric" />
      </Group>
    </>
  );
};

type GroupProps = { readonly title: string; readonly where: string; readonly children: ReactNode };

const Group = ({ title, where, children }: GroupProps) => (
  <fieldset className="min-w-0 border-t border-sandal pt-5 first:border-0 first:pt-0">
    <legend className="contents">
      <span className="flex flex-wrap items-baseline gap-x-3">
        <span className="display text-h3">{title}</span>
        <span className="text-[0.875rem] text-clove">{where}</span>
      </span>
    </legend>
    <div className="mt-4 grid gap-x-4 gap-y-5 sm:grid-cols-6">{children}</div>
  </fieldset>
);

type FlagSwitchProps = { readonly label: string; readonly where: string; readonly input: Partial<Parameters<typeof Switch>[0]> };

const FlagSwitch = ({ label, where, input }: FlagSwitchProps) => {
  const id = useId();
  return (
    <div className="border-b border-sandal/70 py-1.5">
      <Switch {...input} label={label} aria-describedby={id} />
      <p id={id} className="-mt-2 mr-14 pb-1 text-xs text-clove">
        {where}
      </p>
    </div>
  );
};

/** The switch is not part of the form, because stock decides whether a counted product is in stock. */
const CountedSwitch = ({ onHand, available }: NonNullable<StaffProductView['stock']>) => (
  <FlagSwitch
    label={labels.inStock}
    where={`Counted: ${formatNumber(onHand)} on hand, ${formatNumber(available)} to sell. Change them in the panel Stock.`}
    input={{ disabled: true, readOnly: true, checked: available > 0 }}
  />
);
