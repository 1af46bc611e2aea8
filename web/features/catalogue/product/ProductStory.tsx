import type { ProductView } from '#domain/product/view.ts';
import { splitDetails, type ScentNote } from './scent-notes.ts';

/** The short description, the notes, then Product Details. */
export const ProductStory = ({ product: { productDescription, description, productDetails } }: { readonly product: ProductView }) => {
  const { notes, lines } = splitDetails(productDetails);
  return (
    <>
      {productDescription !== '' && <p className="mt-9 text-[1.0625rem] leading-[1.7]">{productDescription}</p>}
      {notes.length > 0 && <Notes notes={notes} />}
      {(description !== '' || lines.length > 0) && (
        <>
          <h2 className="display mt-12 text-h2">Product Details</h2>
          <p className="mt-4 leading-[1.75] text-clove">{description}</p>
          <Lines lines={lines} />
        </>
      )}
    </>
  );
};

const Notes = ({ notes }: { readonly notes: readonly ScentNote[] }) => (
  <dl className="mt-9 border-t border-gold">
    {notes.map(({ name, notes: scents }) => (
      <div key={name} className="grid grid-cols-[5.5rem_1fr] items-baseline border-b border-sandal py-4">
        <dt className="text-[0.875rem] text-clove">{name}</dt>
        <dd className="display text-h3">{scents}</dd>
      </div>
    ))}
  </dl>
);

const Lines = ({ lines }: { readonly lines: readonly string[] }) => (
  <ul className="mt-6 space-y-2.5 text-[0.9375rem]">
    {lines.map((line) => (
      <li key={line} className="flex gap-3">
        <span className="mt-[0.7em] h-px w-4 shrink-0 bg-gold" />
        {line}
      </li>
    ))}
  </ul>
);
