import type { SerializedError } from '@reduxjs/toolkit';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useRef, useState, type ComponentType } from 'react';
import { useParams } from 'react-router-dom';
import { RELATED_SHOWN, relatedCall, pages } from '#domain/site/pages.ts';
import type { ProductPageView, ProductView } from '#domain/product/view.ts';
import type { CallError } from '../../../lib/http/api.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { EmptyState, RetryOrLeave } from '../../../ui/feedback/EmptyState.tsx';
import { PictureSkeleton, Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Carousel } from '../../../ui/carousel/Carousel.tsx';
import { useDelayedLoading } from '../../../ui/feedback/use-delayed-loading.ts';
import { ProductCard } from '../ProductCard.tsx';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { useProductQuery, useProductsQuery } from '../catalogue-api.ts';
import { BuyBar, BuyBox, type NoticeSlot } from './BuyBox.tsx';
import { Gallery } from './Gallery.tsx';
import { ProductHeading, ProductStory } from './ProductFacts.tsx';
import { firstPicture, ProductLayout } from './ProductLayout.tsx';
import { Status } from '../../../ui/feedback/Status.tsx';

/** The reviews of a product; `app` passes it in. */
export type ReviewsSlot = ComponentType<{ readonly product: ProductView }>;

type ProductPageProps = { readonly AddToCart?: AddToCartSlot; readonly Notice?: NoticeSlot; readonly Reviews?: ReviewsSlot };

export const ProductPage = ({ AddToCart, Notice, Reviews }: ProductPageProps) => {
  const { productId = '' } = useParams();
  // The key resets quantity and gallery when the product changes.
  return <ProductOf key={productId} id={productId} AddToCart={AddToCart} Notice={Notice} Reviews={Reviews} />;
};

type Slots = {
  readonly AddToCart: AddToCartSlot | undefined;
  readonly Notice: NoticeSlot | undefined;
  readonly Reviews: ReviewsSlot | undefined;
};

const ProductOf = ({ id, ...slots }: Slots & { readonly id: string }) => {
  const { currentData: product, error, isFetching, refetch } = useProductQuery(id);
  const loading = !product && (isFetching || !error);
  const skeletonDrawn = useDelayedLoading(loading);

  if (loading || skeletonDrawn) return <ProductSkeleton drawn={skeletonDrawn} />;
  if (product) return <ProductFound product={product} {...slots} />;
  return <ProductMissing error={error} onRetry={() => void refetch()} />;
};

type ProductFoundProps = Slots & { readonly product: ProductPageView };

/** In the document, facts and button come before the long texts. */
const ProductFound = ({ product, AddToCart, Notice, Reviews }: ProductFoundProps) => {
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
              <BuyBox
                ref={buyRow}
                product={product}
                quantity={quantity}
                onQuantityChange={setQuantity}
                AddToCart={AddToCart}
                Notice={Notice}
              />
              <ProductStory product={product} />
            </>
          }
        />
      </article>
      {Reviews && <Reviews product={product} />}
      <RelatedProducts product={product} AddToCart={AddToCart} />
      {AddToCart && purchasable && <BuyBar after={buyRow} product={product} quantity={quantity} AddToCart={AddToCart} />}
    </div>
  );
};

type RelatedProductsProps = { readonly product: ProductView; readonly AddToCart: AddToCartSlot | undefined };

/** Renders nothing when the family has no other product in stock. */
const RelatedProducts = ({ product: { _id: own, category }, AddToCart }: RelatedProductsProps) => {
  const { currentData: family = [] } = useProductsQuery(category === '' ? skipToken : relatedCall(category).params);
  const related = family.filter(({ _id, inStock }) => _id !== own && inStock).slice(0, RELATED_SHOWN);
  if (related.length === 0) return <div className="pb-section" />;
  return (
    <div className="page-x pt-section pb-section">
      <Carousel
        simple
        label="related perfumes"
        heading={<h2 className="display text-h1">You May Also Like</h2>}
        visible={{ phone: 1.2, tablet: 2.2, wide: RELATED_SHOWN }}
      >
        {related.map((each) => (
          <ProductCard key={each._id} product={each} AddToCart={AddToCart} place="rail" />
        ))}
      </Carousel>
    </div>
  );
};

const NOT_FOUND = 'Product not found';

type ProductMissingProps = { readonly error: CallError | SerializedError | undefined; readonly onRetry: () => void };

/** Shows the server's message, else 'Product not found', and a retry where that may help. */
const ProductMissing = ({ error, onRetry }: ProductMissingProps) => {
  const status = error && 'status' in error ? error.status : undefined;
  // Without a response, `message` is the browser's own and is not shown.
  const title = (status !== undefined && error?.message) || NOT_FOUND;
  const gone = status !== undefined && status < 500;
  usePageTitle(title);
  return (
    <EmptyState
      page
      role="alert"
      title={title}
      action={
        <RetryOrLeave onRetry={gone ? undefined : onRetry} to={pages.shop}>
          Back to the shop
        </RetryOrLeave>
      }
    >
      {gone
        ? 'It may have sold through or been renamed. The rest of the house is where you left it.'
        : 'The shop did not answer. Check your connection and try again.'}
    </EmptyState>
  );
};

/** Reserves the page's space at once, and is drawn only if loading takes long. */
const ProductSkeleton = ({ drawn }: { readonly drawn: boolean }) => {
  usePageTitle('Loading');
  return (
    <div aria-busy="true" className={drawn ? undefined : 'invisible'}>
      <Status className="sr-only">Loading</Status>
      <ProductLayout pictures={<PictureSkeleton className={firstPicture} />} facts={<FactsSkeleton />} />
    </div>
  );
};

const FactsSkeleton = () => (
  <>
    <Skeleton className="mt-2 h-4 w-24" />
    <Skeleton className="mt-6 h-12 w-4/5" />
    <Skeleton className="mt-4 h-6 w-3/5" />
    <Skeleton className="mt-6 h-4 w-32" />
    <Skeleton className="mt-8 h-7 w-32" />
    <div className="mt-8 flex gap-3">
      <Skeleton className="h-13 w-36" />
      <Skeleton className="h-13 flex-1" />
    </div>
    <Skeleton className="mt-12 h-4" />
    <Skeleton className="mt-3 h-4" />
    <Skeleton className="mt-3 h-4 w-2/3" />
    <div className="mt-10 space-y-4">
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  </>
);
