import { useState, type UIEvent } from 'react';
import { drawn } from '#domain/pictures.ts';
import type { ProductView } from '#domain/product/view.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { cx } from '../../../ui/cx.ts';
import { Picture } from '../../../ui/Picture.tsx';
import { altOf } from './picture-alts.ts';
import { firstPicture } from './ProductLayout.tsx';

/** Slides on phones and tablets, one above the other from lg on. */
export const Gallery = ({ product: { name, productImageUrl } }: { readonly product: ProductView }) => {
  const [first, ...others] = productImageUrl;
  const [slide, setSlide] = useState(0);
  const isWide = useMedia('(min-width: 64rem)');
  const slides = others.length + 1;
  const onScroll = ({ currentTarget: { scrollLeft, clientWidth } }: UIEvent): void => setSlide(Math.round(scrollLeft / clientWidth));
  return (
    // The shorter of the two columns waits for the longer one.
    <div className="lg:sticky lg:top-20 lg:self-start">
      <section
        aria-label={`Pictures of ${name}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- where it scrolls, the arrow keys must be able to scroll it
        tabIndex={!isWide && slides > 1 ? 0 : undefined}
        onScroll={onScroll}
        className="no-bar flex snap-x snap-mandatory overflow-x-auto bg-paper -outline-offset-2 lg:block lg:overflow-visible lg:bg-transparent"
      >
        <Picture
          src={first}
          alt={altOf(first, name)}
          sizes={drawn.product}
          priority
          className={cx('w-full shrink-0 snap-start object-cover', firstPicture)}
        />
        {others.map((address) => (
          <Picture
            key={address}
            src={address}
            alt={altOf(address, name)}
            sizes={drawn.product}
            className="aspect-4/5 w-full shrink-0 snap-start object-cover md:aspect-square lg:mt-2 lg:aspect-5/4"
          />
        ))}
      </section>
      {slides > 1 && <Marks slides={slides} slide={slide} />}
    </div>
  );
};

const Marks = ({ slides, slide }: { readonly slides: number; readonly slide: number }) => (
  <div aria-hidden="true" className="flex items-center justify-center gap-2 pt-4 lg:hidden">
    {Array.from({ length: slides }, (_, index) => (
      <span key={index} className={cx('w-6', index === slide ? 'h-[2px] bg-ink' : 'h-px bg-teak')} />
    ))}
  </div>
);
