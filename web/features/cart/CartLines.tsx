import { Trash2 } from 'lucide-react';
import { memo } from 'react';
import { useDispatch } from 'react-redux';
import { Link } from 'react-router-dom';
import { QUANTITY } from '#domain/cart/cart.ts';
import type { CartItemView } from '#domain/cart/view.ts';
import { formatRupees, parsePrice, times } from '#domain/shared/money.ts';
import { scentLine } from '../../lib/scent-line.ts';
import { cx } from '../../ui/cx.ts';
import { Picture } from '../../ui/Picture.tsx';
import { Stepper } from '../../ui/form/Stepper.tsx';
import { itemRemoved, quantityChanged } from './cart-slice.ts';

type CartLinesProps = {
  readonly items: readonly CartItemView[];
  /** Called before the line at this index is removed. */
  readonly onRemoved: (index: number) => void;
};

export const CartLines = ({ items, onRemoved }: CartLinesProps) => {
  const dispatch = useDispatch();
  const remove = ({ productId }: CartItemView, index: number): void => {
    onRemoved(index);
    dispatch(itemRemoved(productId));
  };
  return (
    <ul aria-label="Perfumes in your cart" className="border-t border-sandal">
      {items.map((item, index) => (
        <li
          key={item.productId}
          className="grid grid-cols-[5.5rem_1fr] gap-x-4 border-b border-sandal py-6 sm:grid-cols-[7.5rem_1fr] sm:gap-x-7 sm:py-8"
        >
          <Thumbnail item={item} />
          <div className="flex min-w-0 flex-col">
            <Facts item={item} />
            <div className="mt-auto flex flex-wrap items-center justify-between gap-3 pt-5">
              {item.unavailable ? (
                <span />
              ) : (
                <Stepper
                  name={item.product.name}
                  value={item.quantity}
                  max={QUANTITY.most}
                  onChange={(quantity) => dispatch(quantityChanged(item.productId, quantity))}
                />
              )}
              <LineTotal item={item} className="sm:hidden" />
              <button
                type="button"
                onClick={() => remove(item, index)}
                className="inline-flex min-h-11 items-center gap-2 px-1 text-[0.875rem] text-clove hover:text-sindoor max-sm:-mt-2 max-sm:basis-full max-sm:px-0"
              >
                <Trash2 className="size-4" strokeWidth={1.5} />
                Remove<span className="sr-only"> {item.product.name}</span>
              </button>
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
};

type ItemProps = { readonly item: CartItemView };

/** The picture is memoised, so that a changed quantity does not re-render a hundred pictures. */
const Thumbnail = memo(({ item: { product, unavailable } }: ItemProps) => (
  <Link to={`/product/${product._id}`} tabIndex={-1} aria-hidden="true">
    <Picture
      src={product.productImageUrl[0]}
      alt=""
      sizes="(min-width:40rem) 120px, 88px"
      family={product.category}
      className={cx('aspect-4/5 w-full object-cover', unavailable && 'saturate-[0.3] brightness-[0.97]')}
    />
  </Link>
));

const Facts = ({ item: { product, unavailable, onlyLeft, priceChangedFrom }, item }: ItemProps) => (
  <div className="flex items-start justify-between gap-4">
    <div className="min-w-0">
      <h2 className="display text-[1.25rem] leading-snug wrap-anywhere sm:text-h3">
        <Link to={`/product/${product._id}`} className="hover:text-oxblood">
          {product.name}
        </Link>
      </h2>
      <p className="mt-0.5 text-[0.875rem] text-clove wrap-anywhere">{scentLine(product.details)}</p>
      {product.price !== '' && <p className="figures mt-2 text-[0.875rem] text-clove">{product.price} each</p>}
      {priceChangedFrom !== undefined && (
        <p className="figures mt-2 w-fit rounded-xs bg-haldi/60 px-2 py-1 text-xs font-medium text-haldi-deep">
          The price has changed from {priceChangedFrom} since you added it.
        </p>
      )}
      {!unavailable && onlyLeft !== undefined && (
        <p className="mt-2 w-fit rounded-xs bg-sindoor-wash px-2 py-1 text-xs font-medium text-sindoor">
          Only {onlyLeft} left. Please choose {onlyLeft === 1 ? '1' : `${onlyLeft} or fewer`}.
        </p>
      )}
      {!unavailable && onlyLeft === undefined && product.left !== undefined && (
        <p className="mt-2 text-xs font-medium text-clove">Only {product.left} left</p>
      )}
      {unavailable && (
        <p className="mt-2 w-fit rounded-xs bg-sindoor-wash px-2 py-1 text-xs font-medium text-sindoor">
          {onlyLeft === undefined ? 'No longer available.' : 'Out of stock.'} It is not part of your order.
        </p>
      )}
    </div>
    <LineTotal item={item} className="hidden text-[1.0625rem] sm:block" />
  </div>
);

const LineTotal = ({ item: { product, quantity, unavailable }, className }: ItemProps & { readonly className: string }) =>
  unavailable ? null : <p className={cx('figures font-medium', className)}>{formatRupees(times(parsePrice(product.price), quantity))}</p>;
