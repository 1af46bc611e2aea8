import { skipToken } from '@reduxjs/toolkit/query/react';
import { RELATED, relatedOf } from '#domain/first-calls.ts';
import type { ProductView } from '#domain/product/view.ts';
import { Carousel } from '../../../ui/carousel/Carousel.tsx';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { useProductsQuery } from '../catalogue-api.ts';
import { ProductCard } from '../ProductCard.tsx';

type RelatedProductsProps = { readonly product: ProductView; readonly AddToCart: AddToCartSlot | undefined };

/** Others of the same family; absent where there is none. */
export const RelatedProducts = ({ product: { _id: own, category }, AddToCart }: RelatedProductsProps) => {
  const { currentData: family = [] } = useProductsQuery(category === '' ? skipToken : relatedOf(category).params);
  const related = family.filter(({ _id }) => _id !== own).slice(0, RELATED);
  if (related.length === 0) return <div className="pb-section" />;
  return (
    <div className="page-x pt-section pb-section">
      <Carousel
        simple
        label="related perfumes"
        heading={<h2 className="display text-h1">You May Also Like</h2>}
        visible={{ phone: 1.2, tablet: 2.2, wide: RELATED }}
      >
        {related.map((each) => (
          <ProductCard key={each._id} product={each} AddToCart={AddToCart} place="rail" />
        ))}
      </Carousel>
    </div>
  );
};
