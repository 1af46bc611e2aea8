import { Heart, Star } from 'lucide-react';
import { type PointerEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { pictureSizes } from '#domain/site/pictures.ts';
import type { ProductView } from '#domain/product/view.ts';
import { averageText, formatNumber } from '../../lib/format.ts';
import { scentLine } from '../../lib/scent-line.ts';
import { Picture } from '../../ui/Picture.tsx';
import { cx } from '../../ui/cx.ts';
import type { AddToCartSlot } from './add-to-cart-slot.ts';
import { usePrefetch } from './catalogue-api.ts';
import { useWish } from './wishlist-api.ts';
import { WishProblem } from './WishProblem.tsx';

/** The picture's `sizes` attribute, for cards in a grid, in a carousel, or as one of three. */
const sizes = { grid: pictureSizes.card, rail: pictureSizes.rail, third: pictureSizes.third };

type ProductCardProps = {
  readonly product: ProductView;
  readonly AddToCart?: AddToCartSlot | undefined;
  readonly place?: keyof typeof sizes;
  readonly heading?: 'h2' | 'h3';
  /** The first row of a page has priority: its pictures are loaded eagerly. */
  readonly priority?: boolean;
  /** Hides the tag where it is redundant, such as Bestseller among bestsellers. */
  readonly tagless?: boolean;
  /** A preview at the desk has no shopper, and nothing in it can be pressed. */
  readonly isPreview?: boolean;
};

/** A product card. Without a name nothing is rendered; without a price it shows neither price nor button. */
export const ProductCard = ({
  product,
  AddToCart,
  place = 'grid',
  heading: Name = 'h3',
  priority = false,
  tagless = false,
  isPreview = false,
}: ProductCardProps) => {
  const prefetch = usePrefetch('product');
  // The second picture loads only when the pointer enters the card.
  const [pointed, setPointed] = useState(false);
  if (product.name === '') return null;
  const onPointerEnter = ({ pointerType }: PointerEvent): void => setPointed(pointed || pointerType === 'mouse');
  return (
    <article className="group relative flex h-full flex-col" onPointerEnter={onPointerEnter} onPointerDown={() => prefetch(product._id)}>
      <CardPicture product={product} sizes={sizes[place]} priority={priority} withSecond={pointed} />
      <Tag product={product} tagless={tagless} />
      {isPreview ? <HeartButton name={product.name} isPressed={false} /> : <WishlistHeart product={product} />}
      <div className="flex flex-1 flex-col pt-4">
        <Name className="display text-[1.125rem] leading-snug wrap-anywhere sm:text-name">
          <Link to={`/product/${product._id}`} className="after:absolute after:inset-0 hover:text-oxblood">
            {product.name}
          </Link>
        </Name>
        <p className="mt-0.5 text-[0.8125rem] leading-snug wrap-anywhere text-clove sm:text-[0.875rem]">{scentLine(product.details)}</p>
        {product.reviewsCount > 0 && <CardRating product={product} />}
        {product.price !== '' && <Offer product={product} AddToCart={AddToCart} />}
      </div>
    </article>
  );
};

type CardPictureProps = { readonly product: ProductView; readonly sizes: string; readonly priority: boolean; readonly withSecond: boolean };

const CardPicture = ({ product, sizes, priority, withSecond }: CardPictureProps) => {
  const [first, second] = product.productImageUrl;
  const [ready, setReady] = useState(false);
  const unlit = !product.inStock && 'saturate-[0.3] brightness-[0.97]';
  return (
    <div className="relative overflow-hidden">
      <Picture
        src={first}
        alt=""
        sizes={sizes}
        priority={priority}
        family={product.category}
        className={cx(
          'aspect-4/5 w-full object-cover transition-transform duration-700 ease-settle group-hover:scale-[1.025] motion-reduce:group-hover:scale-100',
          unlit,
        )}
      />
      {withSecond && second !== undefined && (
        <div
          onLoadCapture={() => setReady(true)}
          className={cx('absolute inset-0 opacity-0 transition-opacity duration-500', ready && 'group-hover:opacity-100')}
        >
          <Picture src={second} alt="" sizes={sizes} className={cx('size-full object-cover', unlit)} />
        </div>
      )}
    </div>
  );
};

const CardRating = ({ product }: Pick<ProductCardProps, 'product'>) => (
  <p className="figures mt-1.5 flex items-center gap-1.5 text-[0.8125rem] text-clove">
    <Star aria-hidden="true" className="size-3.5 fill-current text-gold" strokeWidth={1.2} />
    <span>
      {averageText(product)} <span className="sr-only">of 5 stars from</span> ({formatNumber(product.reviewsCount)}
      <span className="sr-only"> {product.reviewsCount === 1 ? 'review' : 'reviews'}</span>)
    </span>
  </p>
);

const Tag = ({ product: { inStock, left, tag }, tagless }: Pick<ProductCardProps, 'product' | 'tagless'>) => {
  const few = left === undefined ? undefined : `Only ${left} left`;
  const text = inStock ? (few ?? (!tagless && tag)) : 'Out of Stock';
  if (!text) return null;
  return (
    <span className="absolute top-2.5 left-2.5 max-w-[calc(100%-4.5rem)] rounded-xs bg-ivory/92 px-2 py-1 text-[0.6875rem] font-medium sm:top-3 sm:left-3 sm:px-2.5 sm:text-xs">
      {text}
    </span>
  );
};

const Offer = ({ product, AddToCart }: Pick<ProductCardProps, 'product' | 'AddToCart'>) => (
  <div className="mt-auto flex min-h-13.5 flex-wrap items-center justify-between gap-x-3 pt-2.5">
    <span className="figures text-[0.9375rem] font-medium">{product.price}</span>
    {AddToCart && product.inStock && <AddToCart product={product} quantity={1} look="link" className="relative z-1" />}
    {AddToCart && !product.inStock && (
      <button type="button" disabled className="relative z-1 min-h-11 text-[0.875rem] text-clove">
        Add to Cart
      </button>
    )}
  </div>
);

type HeartButtonProps = { readonly name: string; readonly isPressed: boolean; readonly onPress?: () => void };

const HeartButton = ({ name, isPressed, onPress }: HeartButtonProps) => (
  <button
    type="button"
    aria-label={`Save ${name}`}
    aria-pressed={isPressed}
    onClick={onPress}
    className="group/heart absolute top-1.5 right-1.5 z-1 inline-flex size-11 items-center justify-center"
  >
    <span
      className={cx(
        'inline-flex size-9 items-center justify-center rounded-full bg-ivory/92 transition-transform group-active/heart:scale-90',
        isPressed ? 'text-oxblood' : 'text-ink',
      )}
    >
      <Heart className={cx('size-[1.125rem]', isPressed && 'fill-current')} strokeWidth={1.5} />
    </span>
  </button>
);

const WishlistHeart = ({ product: { _id, name } }: Pick<ProductCardProps, 'product'>) => {
  const { isWished, toggle, problem, dismiss } = useWish(_id);
  return (
    <>
      <HeartButton name={name} isPressed={isWished} onPress={toggle} />
      <WishProblem problem={problem} onClose={dismiss} />
    </>
  );
};
