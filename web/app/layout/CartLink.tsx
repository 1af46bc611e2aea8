import { ShoppingBag } from 'lucide-react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { pages } from '#domain/pages.ts';
import { selectItemCount } from '../../features/cart/cart-slice.ts';
import { badgeText, itemsText } from '../../features/cart/words.ts';
import { cx } from '../../ui/cx.ts';

/** The way to the cart, with the number of things in it on a red badge. */
export const CartLink = ({ className }: { readonly className: string }) => {
  const count = useSelector(selectItemCount);
  return (
    <Link to={pages.cart} aria-label={count > 0 ? `Cart, ${itemsText(count)}` : 'Cart'} className={cx('relative', className)}>
      <ShoppingBag className="size-[1.375rem]" strokeWidth={1.5} />
      {count > 0 && (
        <span
          key={count}
          className="figures absolute top-0.5 right-0.5 inline-flex h-[1.125rem] animate-pop min-w-[1.125rem] items-center justify-center rounded-full bg-sindoor px-1 text-[0.6875rem] leading-none font-semibold text-white"
        >
          {badgeText(count)}
        </span>
      )}
    </Link>
  );
};
