import type { ReactNode } from 'react';
import { BESTSELLERS } from '#domain/site/pages.ts';
import type { ProductView } from '#domain/product/view.ts';
import { AddToCartButton } from '../../features/cart/AddToCartButton.tsx';
import { ProductCard } from '../../features/catalogue/ProductCard.tsx';
import { useProductsQuery } from '../../features/catalogue/catalogue-api.ts';
import { Carousel } from '../../ui/carousel/Carousel.tsx';
import { PictureSkeleton, Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { cx } from '../../ui/cx.ts';

/** Up to four products are a grid. More are a carousel: four in view on wide screens, 1.2 on phones. */
const VISIBLE = { phone: 1.2, tablet: 2.4, wide: 4 };

/** Featured products go last, because the home page already shows them further up. */
const featuredLast = (products: readonly ProductView[]): readonly ProductView[] =>
  [...products].sort((one, other) => Number(one.isFeatured) - Number(other.isFeatured));

const NONE: readonly string[] = [];

type BestsellersProps = {
  readonly title: string;
  /** Products with these ids are shown elsewhere on the page and left out here. */
  readonly without?: readonly string[];
  /** Leaves out what is out of stock. */
  readonly inStock?: boolean;
};

export const Bestsellers = ({ title, without = NONE, inStock = false }: BestsellersProps) => {
  const heading = <h2 className="display text-h1">{title}</h2>;
  const { data, isLoading } = useProductsQuery(BESTSELLERS.params);
  const products = data?.filter((product) => !without.includes(product._id) && (product.inStock || !inStock));
  if (!isLoading && !products?.length) return null;
  return (
    <div className="page-x pt-section">
      {products ? (
        <Carousel label="bestsellers" visible={VISIBLE} heading={heading}>
          {featuredLast(products).map((product) => (
            <ProductCard key={product._id} product={product} AddToCart={AddToCartButton} place="rail" tagless />
          ))}
        </Carousel>
      ) : (
        <ProductRowSkeleton heading={heading} count={4} className="lg:grid-cols-4 lg:gap-x-6" />
      )}
    </div>
  );
};

type ProductRowSkeletonProps = { readonly heading: ReactNode; readonly count: number; readonly className: string };

export const ProductRowSkeleton = ({ heading, count, className }: ProductRowSkeletonProps) => (
  <div aria-busy="true">
    <div className="flex items-end">{heading}</div>
    <div className={cx('mt-block grid gap-x-6 overflow-hidden max-md:-mr-gutter max-md:grid-flow-col max-md:auto-cols-[78%]', className)}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index}>
          <PictureSkeleton />
          <Skeleton className="mt-4 h-5 w-3/4" />
          <Skeleton className="mt-2.5 h-3.5" />
          <Skeleton className="mt-6 h-4 w-20" />
        </div>
      ))}
    </div>
  </div>
);
