import { useRef, useState } from 'react';
import type { ProductView } from '#domain/product/view.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { BuyBar } from './BuyBar.tsx';
import { BuyRow } from './BuyBox.tsx';
import { Gallery } from './Gallery.tsx';
import { ProductHeading } from './ProductFacts.tsx';
import { ProductLayout } from './ProductLayout.tsx';
import { ProductStory } from './ProductStory.tsx';
import { RelatedProducts } from './RelatedProducts.tsx';

type ProductFoundProps = { readonly product: ProductView; readonly AddToCart: AddToCartSlot | undefined };

/** Pictures beside the facts; the facts and the button before prose; then others of the family. */
export const ProductFound = ({ product, AddToCart }: ProductFoundProps) => {
  usePageTitle(product.name);
  const [quantity, setQuantity] = useState(1);
  const buyRow = useRef<HTMLDivElement>(null);
  const purchasable = product.inStock && product.price !== '';
  return (
    <div>
      <article>
        <ProductLayout
          pictures={<Gallery product={product} />}
          facts={
            <>
              <ProductHeading product={product} />
              <BuyRow ref={buyRow} product={product} quantity={quantity} onQuantityChange={setQuantity} AddToCart={AddToCart} />
              <ProductStory product={product} />
            </>
          }
        />
      </article>
      <RelatedProducts product={product} AddToCart={AddToCart} />
      {AddToCart && purchasable && <BuyBar after={buyRow} product={product} quantity={quantity} AddToCart={AddToCart} />}
    </div>
  );
};
