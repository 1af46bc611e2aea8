import { getMessage } from '../../lib/http/api.ts';
import { LoadFailed } from '../../ui/feedback/LoadFailed.tsx';
import type { AddToCartSlot } from './add-to-cart-slot.ts';
import { ProductCard } from './ProductCard.tsx';
import { useWishlist } from './wishlist-api.ts';

/** The perfumes that the shopper has saved, newest first. */
export const Wishlist = ({ AddToCart }: { readonly AddToCart: AddToCartSlot }) => {
  const { data, error, refetch } = useWishlist();
  if (!data && error)
    return (
      <LoadFailed className="mt-5" onRetry={() => void refetch()}>
        {getMessage(error)}
      </LoadFailed>
    );
  if (!data || data.items.length === 0) return <p className="mt-1.5 text-[0.9375rem] text-clove">The heart on a perfume keeps it here.</p>;
  return (
    <ul className="mt-5 grid grid-cols-2 gap-x-4 gap-y-8 sm:grid-cols-4">
      {data.items.map(({ product }) => (
        <li key={product._id}>
          <ProductCard product={product} AddToCart={AddToCart} tagless />
        </li>
      ))}
    </ul>
  );
};
