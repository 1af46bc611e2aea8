import { useParams } from 'react-router-dom';
import { useDelayedLoading } from '../../../ui/use-delayed-loading.ts';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { useProductQuery } from '../catalogue-api.ts';
import { ProductFound } from './ProductFound.tsx';
import { ProductMissing } from './ProductMissing.tsx';
import { ProductSkeleton } from './ProductSkeleton.tsx';

type ProductPageProps = { readonly AddToCart?: AddToCartSlot };

/** `/product/:productId`: a perfume, and others of its family. */
export const ProductPage = ({ AddToCart }: ProductPageProps) => {
  const { productId = '' } = useParams();
  // Another product is another page: its quantity begins at 1, its pictures at the first.
  return <ProductOf key={productId} id={productId} AddToCart={AddToCart} />;
};

const ProductOf = ({ id, AddToCart }: { readonly id: string; readonly AddToCart: AddToCartSlot | undefined }) => {
  const { currentData: product, error, isFetching, refetch } = useProductQuery(id);
  const loading = !product && (isFetching || !error);
  const skeletonDrawn = useDelayedLoading(loading);

  if (loading || skeletonDrawn) return <ProductSkeleton drawn={skeletonDrawn} />;
  if (product) return <ProductFound product={product} AddToCart={AddToCart} />;
  return <ProductMissing error={error} onRetry={() => void refetch()} />;
};
