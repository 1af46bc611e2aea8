import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { categoryFromLink } from '#domain/site/pages.ts';
import { ButtonLink } from '../../../ui/Button.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { OutLink } from '../../../ui/SafeLink.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { Carousel } from '../../../ui/carousel/Carousel.tsx';
import { cx } from '../../../ui/cx.ts';
import { ReviewQuote } from '../ReviewQuote.tsx';
import type { CollectionTile, SiteContent } from '../site-content-types.ts';

/** The first tile is the largest; on phones it is wide. */
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
          family={categoryFromLink(tile.name)}
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

export const Teaser = ({ teaser }: { readonly teaser: SiteContent['teaser'] }) => (
  <section aria-labelledby="teaser" className="mt-section bg-paper">
    <div className="grid md:grid-cols-2 lg:grid-cols-[1.4fr_1fr]">
      <div className="relative overflow-hidden max-md:aspect-[4/3] md:min-h-[44rem]">
        <Picture
          {...teaser.image}
          sizes="(min-width: 48rem) max(58vw, 61rem), 100vw"
          className="depth absolute inset-0 size-full object-cover object-[38%_50%]"
        />
      </div>
      <div className="flex items-center px-gutter py-14 md:py-section md:pr-gutter md:pl-[clamp(2.5rem,5vw,5.5rem)]">
        <div className="max-w-[34rem]">
          <h2 id="teaser" className="display text-h1">
            {teaser.title.map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </h2>
          <div className="mt-7 space-y-5 text-[1.0625rem] leading-[1.7] text-clove">
            {teaser.story.map(({ id, para }) => (
              <p key={id}>{para}</p>
            ))}
          </div>
          {teaser.cta && (
            <div className="mt-8">
              <TextLink to={teaser.cta.to}>
                {teaser.cta.text}
                <ArrowRight className="size-4" strokeWidth={1.5} />
              </TextLink>
            </div>
          )}
        </div>
      </div>
    </div>
  </section>
);

/** Three reviews are shown side by side on the desktop and 1.2 on a phone. */
const VISIBLE = { phone: 1.2, tablet: 3, wide: 3 };

export const CustomerExperience = ({ experience }: { readonly experience: SiteContent['customerExperience'] }) => {
  const { title, reviews, ctaText, ctaLink } = experience;
  return (
    <div className="page-x pt-section">
      <Carousel
        label="reviews"
        visible={VISIBLE}
        restGap={40}
        heading={<h2 className="display text-h1">{title}</h2>}
        foot={ctaText && ctaLink ? <TextLink to={ctaLink}>{ctaText}</TextLink> : undefined}
      >
        {reviews.map((review) => (
          <ReviewQuote key={review.id} review={review} />
        ))}
      </Carousel>
    </div>
  );
};

export const Promo = ({ promo }: { readonly promo: SiteContent['promo'] }) => (
  <section aria-labelledby="promo" className="page-x pt-section">
    <div className="grid overflow-hidden bg-floral md:grid-cols-[1fr_1.1fr]">
      <div className="flex flex-col justify-center px-6 py-14 md:px-14 lg:px-20">
        <h2 id="promo" className="display text-h1">
          <WithSansRupee text={promo.title} />
        </h2>
        <p className="mt-5 max-w-md text-lead text-clove">{promo.desc}</p>
        <div className="mt-8">
          <ButtonLink to={promo.cta.to}>{promo.cta.text}</ButtonLink>
        </div>
      </div>
      <div className="relative min-h-80 overflow-hidden md:min-h-[30rem]">
        <Picture
          {...promo.image}
          sizes="(min-width: 48rem) max(50vw, 40rem), 100vw"
          className="depth absolute inset-0 size-full object-cover object-[50%_66%]"
        />
      </div>
    </div>
  </section>
);

/** Sets the rupee sign in Figtree, because Garamond is loaded without it. */
const WithSansRupee = ({ text }: { readonly text: string }) => {
  const [before, after] = text.split('₹');
  if (after === undefined) return <>{text}</>;
  return (
    <>
      {before}
      <span className="whitespace-nowrap">
        <span className="font-sans text-[0.8em]">₹</span>
        {after}
      </span>
    </>
  );
};

export const SocialTiles = ({ social }: { readonly social: SiteContent['social'] }) => (
  <section aria-label={social.label} className="grid grid-cols-2 md:grid-cols-4">
    {social.tiles.map(({ id, href, alt, src, width, height }) => (
      <OutLink
        key={id}
        href={href}
        className="group relative block aspect-square overflow-hidden focus-visible:-outline-offset-4 focus-visible:outline-ivory"
      >
        <Picture
          src={src}
          alt={`${alt}, on Instagram (opens in a new tab)`}
          width={width}
          height={height}
          sizes="(min-width: 48rem) 25vw, 50vw"
          className="size-full object-cover object-[50%_70%] transition-transform duration-700 ease-settle group-hover:scale-[1.03] motion-reduce:transform-none"
        />
      </OutLink>
    ))}
  </section>
);
