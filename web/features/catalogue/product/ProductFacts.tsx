import { Link } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { families } from '#domain/product/families.ts';
import { type ScentNotes, splitDetails } from '#domain/product/scent-notes.ts';
import type { ReductionView } from '#domain/product/reduction.ts';
import type { ProductPageView, ProductView } from '#domain/product/view.ts';
import { dayText } from '../../../lib/dates.ts';
import { averageText, count } from '../../../lib/format.ts';
import { scentLine } from '../../../lib/scent-line.ts';
import { Stars } from '../../../ui/Stars.tsx';
import { cx } from '../../../ui/cx.ts';

/** A name with more characters is set smaller; otherwise price and button would be below the first screen. */
const LONG_NAME = 48;

export const ProductHeading = ({ product }: { readonly product: ProductPageView }) => (
  <>
    <Breadcrumb category={product.category} />
    <h1 className={cx('display mt-4 wrap-anywhere', product.name.length > LONG_NAME ? 'text-h2' : 'text-h1')}>{product.name}</h1>
    <p className="display mt-2 text-h3 text-clove italic wrap-anywhere">{scentLine(product.details)}</p>
    {product.reviewsCount > 0 && (
      <Link
        to="#reviews"
        className="figures mt-5 inline-flex min-h-8 flex-wrap items-center gap-3 text-[0.875rem] text-clove hover:text-ink"
      >
        <Stars rating={product.ratingStar} />
        <span>{averageText(product)}</span>
        <span className="underline decoration-sandal underline-offset-4">{count(product.reviewsCount, 'review')}</span>
      </Link>
    )}
    <div className="mt-7 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
      {product.price !== '' && <p className="figures text-[1.625rem] leading-none">{product.price}</p>}
      <Stock inStock={product.inStock} left={product.left} />
    </div>
    {product.reduction && <Reduction {...product.reduction} />}
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

const Stock = ({ inStock, left }: { readonly inStock: boolean; readonly left: number | undefined }) => (
  <p className={cx('inline-flex items-center gap-2 text-[0.9375rem] font-medium', inStock ? 'text-khus-deep' : 'text-clove')}>
    <span className={cx('size-2 rounded-full', inStock ? 'bg-khus' : 'border border-teak')} />
    {inStock ? (left === undefined ? 'In Stock' : `Only ${left} left`) : 'Out of Stock'}
  </p>
);

const Reduction = ({ reducedAt, lowestPrice }: ReductionView) => (
  <p className="figures mt-3 text-[0.875rem] text-clove">
    Reduced on {dayText(reducedAt)}. Lowest price in the 30 days before: <span className="whitespace-nowrap">{lowestPrice}</span>
  </p>
);

export const ProductStory = ({ product: { productDescription, description, productDetails } }: { readonly product: ProductView }) => {
  const { notes, lines } = splitDetails(productDetails);
  return (
    <>
      {productDescription !== '' && <p className="mt-9 text-[1.0625rem] leading-[1.7] wrap-anywhere">{productDescription}</p>}
      {notes.length > 0 && <Notes notes={notes} />}
      {(description !== '' || lines.length > 0) && (
        <>
          <h2 className="display mt-12 text-h2">Product Details</h2>
          <p className="mt-4 leading-[1.75] wrap-anywhere text-clove">{description}</p>
          <Lines lines={lines} />
        </>
      )}
    </>
  );
};

const Notes = ({ notes }: { readonly notes: readonly ScentNotes[] }) => (
  <dl className="mt-9 border-t border-gold">
    {notes.map(({ level, notes: scents }) => (
      <div key={level} className="grid grid-cols-[5.5rem_1fr] items-baseline border-b border-sandal py-4">
        <dt className="text-[0.875rem] text-clove">{level}</dt>
        <dd className="display text-h3 wrap-anywhere">{scents.charAt(0).toUpperCase() + scents.slice(1)}</dd>
      </div>
    ))}
  </dl>
);

const Lines = ({ lines }: { readonly lines: readonly string[] }) => (
  <ul className="mt-6 space-y-2.5 text-[0.9375rem]">
    {lines.map((line) => (
      <li key={line} className="flex gap-3">
        <span className="mt-[0.7em] h-px w-4 shrink-0 bg-gold" />
        <span className="min-w-0 wrap-anywhere">{line}</span>
      </li>
    ))}
  </ul>
);
