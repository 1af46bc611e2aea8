import { BESTSELLERS } from '#domain/first-calls.ts';
import { AddToCartButton } from '../../features/cart/AddToCartButton.tsx';
import { useProductsQuery } from '../../features/catalogue/catalogue-api.ts';
import { ProductCard } from '../../features/catalogue/ProductCard.tsx';
import { Carousel } from '../../ui/Carousel.tsx';
import { ProductRowSkeleton } from './ProductRowSkeleton.tsx';

/** Up to four are a grid, more a slider: four in view on wide screens, 1.2 on phones (specification, section 2). */
const VISIBLE = { phone: 1.2, tablet: 2.4, wide: 4 };

export const Bestsellers = ({ title }: { readonly title: string }) => {
  const heading = <h2 className="display text-h1">{title}</h2>;
  const { data, isLoading } = useProductsQuery(BESTSELLERS.params);
  if (!isLoading && !data?.length) return null;
  return (
    <div className="page-x pt-section">
      {data ? (
        <Carousel label="bestsellers" visible={VISIBLE} heading={heading}>
          {data.map((product) => (
            <ProductCard key={product._id} product={product} AddToCart={AddToCartButton} place="rail" tagless />
          ))}
        </Carousel>
      ) : (
        <ProductRowSkeleton heading={heading} count={4} className="lg:grid-cols-4 lg:gap-x-6" />
      )}
    </div>
  );
};
