import { type CSSProperties, type ReactNode, useId } from 'react';
import type { ProductView } from '#domain/product/view.ts';
import { cx } from '../../../ui/cx.ts';
import { ProductCard } from '../ProductCard.tsx';
import { ProductHeading, ProductStory } from './ProductFacts.tsx';

/** The sizes of a narrow column, whatever the window. */
const NARROW = { '--text-h1': '1.75rem', '--text-h2': '1.375rem', '--text-h3': '1.125rem' } as CSSProperties;

/** A card and the texts of a page, as they will be. Nothing in them can be pressed. */
export const ProductPreview = ({ product }: { readonly product: ProductView }) => (
  <div className="grid gap-4">
    <Sheet title="Card">
      <div className="mx-auto w-44">
        {product.name === '' ? (
          <p className="text-[0.875rem] text-clove">A card needs a name.</p>
        ) : (
          <ProductCard product={product} AddToCart={AddToCart} isPreview />
        )}
      </div>
    </Sheet>
    <Sheet title="Page">
      <ProductHeading product={product} />
      <ProductStory product={product} />
    </Sheet>
  </div>
);

const Sheet = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border border-sandal bg-ivory p-5">
      <h4 id={id} className="mb-3 text-xs text-clove">
        {title}
      </h4>
      <div inert style={NARROW}>
        {children}
      </div>
    </section>
  );
};

const AddToCart = ({ className }: { readonly className?: string }) => (
  <span className={cx('link inline-flex min-h-11 items-center text-[0.875rem] font-medium text-oxblood', className)}>Add to Cart</span>
);
