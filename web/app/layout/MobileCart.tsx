import { ShoppingBag } from 'lucide-react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { pages } from '#domain/pages.ts';
import { selectItemCount } from '../../features/cart/cart-slice.ts';

/** The cart in the menu of small screens: read out 'Cart (4)', drawn with the badge of the header. */
export const MobileCart = () => {
  const count = useSelector(selectItemCount);
  return (
    <Link to={pages.cart} className="mt-4 flex min-h-12 items-center gap-3">
      <ShoppingBag className="size-5" strokeWidth={1.5} />
      Cart{' '}
      {count > 0 && (
        <span className="figures ml-auto inline-flex h-6 min-w-6 items-center justify-center rounded-full bg-sindoor px-1.5 text-xs font-semibold text-white">
          <span className="sr-only">(</span>
          {count}
          <span className="sr-only">)</span>
        </span>
      )}
    </Link>
  );
};
