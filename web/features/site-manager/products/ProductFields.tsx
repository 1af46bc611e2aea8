import { categories } from '#domain/product/events.ts';
import { Field, TextArea } from '../../../ui/form/Field.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { familyText } from '../family-text.ts';
import { labels, type ProductForm } from './product-form.ts';
import type { ProductEditor } from './use-product-editor.ts';

type TextField = { readonly [Field in keyof ProductForm]: ProductForm[Field] extends boolean ? never : Field }[keyof ProductForm];

const families = ['' as const, ...categories].map((value) => ({ value, text: familyText(value) }));

/** The props of an input of this form. */
export const textProps = ({ field }: Pick<ProductEditor, 'field'>, name: TextField) => ({ ...field(name), label: labels[name] });

/** The left column: all text fields. */
export const ProductFields = (editor: Pick<ProductEditor, 'form' | 'field'>) => {
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
