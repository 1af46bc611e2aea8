import { TextArea } from '../../../ui/form/Field.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { Switch } from '../../../ui/form/Switch.tsx';
import { PictureUpload } from './PictureUpload.tsx';
import { labels, pictureIn } from './product-form.ts';
import { textProps } from './ProductFields.tsx';
import type { ProductEditor } from './use-product-editor.ts';

const flags = ['inStock', 'bestsellers', 'isFeatured', 'isTrending'] as const;

/** The right side of the form: pictures and switches. */
export const ProductSide = (editor: ProductEditor) => {
  const { form, change, addPicture } = editor;
  return (
    <div className="content-start max-md:grid max-md:grid-cols-[5rem_1fr] max-md:gap-5">
      <Picture src={pictureIn(form)} alt="" sizes="(min-width: 48rem) 272px, 80px" className="aspect-4/5 w-full object-cover" />
      <div className="min-w-0 md:mt-5">
        <TextArea {...textProps(editor, 'productImageUrl')} rows={2} hint="Separate with commas" />
        <PictureUpload onUploaded={addPicture} />
      </div>
      <div className="divide-y divide-sandal border-y border-sandal max-md:col-span-2 md:mt-5">
        {flags.map((flag) => (
          <Switch
            key={flag}
            label={labels[flag]}
            name={flag}
            checked={form[flag]}
            onChange={({ target }) => change({ [flag]: target.checked })}
          />
        ))}
      </div>
    </div>
  );
};
