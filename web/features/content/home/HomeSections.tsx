import { Link } from 'react-router-dom';
import { cx } from '../../../ui/cx.ts';
import { Picture } from '../../../ui/Picture.tsx';
import type { CollectionTile, SiteContent } from '../site-content-types.ts';

/** The families: the first is the large one of the bento, and on phones lies across. */
export const Collections = ({ collection }: { readonly collection: SiteContent['collection'] }) => (
  <section aria-labelledby="collections" className="page-x pt-section">
    <div className="max-w-2xl">
      <h2 id="collections" className="display text-h1">
        {collection.title}
      </h2>
      <p className="mt-3 text-lead text-clove">{collection.desc}</p>
    </div>
    <ul className="mt-block grid grid-cols-2 gap-x-4 gap-y-7 md:grid-cols-4 md:grid-rows-[17rem_17rem] md:gap-x-6 md:gap-y-8 lg:grid-rows-[28rem_28rem]">
      {collection.products.map((tile, index) => (
        <Tile key={tile.id} tile={tile} large={index === 0} />
      ))}
    </ul>
  </section>
);

const Tile = ({ tile, large }: { readonly tile: CollectionTile; readonly large: boolean }) => (
  <li className={cx('flex', large && 'col-span-2 md:row-span-2')}>
    <Link to={`/shop?collection=${encodeURIComponent(tile.name)}`} className="group flex flex-1 flex-col">
      <span className={cx('relative block flex-1 overflow-hidden', large ? 'max-md:aspect-square' : 'max-md:aspect-4/5')}>
        <Picture
          src={tile.productImageUrl}
          alt=""
          width={1000}
          height={1250}
          sizes={large ? '(min-width: 48rem) 50vw, 100vw' : '(min-width: 48rem) 25vw, 50vw'}
          className={cx(
            'absolute inset-0 size-full object-cover transition-transform duration-700 ease-settle group-hover:scale-[1.025] motion-reduce:transform-none',
            large ? 'object-[50%_45%]' : 'object-[50%_62%]',
          )}
        />
      </span>
      <span className="flex items-baseline justify-between gap-4 pt-3.5">
        <span className="display text-h3 group-hover:text-oxblood">{tile.name}</span>
        <span className={cx('text-[0.875rem] text-clove', !large && 'max-lg:hidden')}>{tile.line}</span>
      </span>
    </Link>
  </li>
);
