import { Link } from 'react-router-dom';
import type { ProductView } from '#domain/product/view.ts';
import { pages } from '#domain/pages.ts';
import { count } from '../../../lib/numbers.ts';
import { scentLine } from '../../../lib/scent-line.ts';
import { cx } from '../../../ui/cx.ts';
import { Stars } from '../../../ui/Stars.tsx';
import { families } from '#domain/product/families.ts';

/** In characters: a longer name is set smaller, or it would push price and button out of the first window. */
const LONG_NAME = 48;

/** Where it belongs, its name and scent, what others think, what it costs and whether it is there. */
export const ProductHeading = ({ product }: { readonly product: ProductView }) => (
  <>
    <Breadcrumb category={product.category} />
    <h1 className={cx('display mt-4 wrap-anywhere', product.name.length > LONG_NAME ? 'text-h2' : 'text-h1')}>{product.name}</h1>
    <p className="display mt-2 text-h3 text-clove italic">{scentLine(product.details)}</p>
    {product.reviewsCount > 0 && (
      <p className="figures mt-5 flex min-h-8 flex-wrap items-center gap-3 text-[0.875rem] text-clove">
        <Stars rating={product.ratingStar} />
        {count(product.reviewsCount, 'review')}
      </p>
    )}
    <div className="mt-7 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
      {product.price !== '' && <p className="figures text-[1.625rem] leading-none">{product.price}</p>}
      <Stock inStock={product.inStock} />
    </div>
  </>
);

const crumb = 'inline-flex min-h-8 items-center hover:text-ink';

const Breadcrumb = ({ category }: Pick<ProductView, 'category'>) => (
  <nav aria-label="Breadcrumb" className="text-[0.875rem] text-clove">
    <Link className={crumb} to={pages.shop}>
      Shop
    </Link>
    {category !== '' && (
      <>
        <span aria-hidden="true" className="px-2 text-teak">
          /
        </span>
        <Link className={crumb} to={`/shop?collection=${category}`}>
          {families[category].name}
        </Link>
      </>
    )}
  </nav>
);

const Stock = ({ inStock }: Pick<ProductView, 'inStock'>) => (
  <p className={cx('inline-flex items-center gap-2 text-[0.9375rem] font-medium', inStock ? 'text-khus-deep' : 'text-clove')}>
    <span className={cx('size-2 rounded-full', inStock ? 'bg-khus' : 'border border-teak')} />
    {inStock ? 'In Stock' : 'Out of Stock'}
  </p>
);
