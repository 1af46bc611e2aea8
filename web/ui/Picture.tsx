import { useState, type ReactEventHandler } from 'react';
import { srcSetOf } from '#domain/pictures.ts';
import { cx } from './cx.ts';

const PLACEHOLDER = '/pictures/placeholder.svg';

type PictureProps = {
  /** `/pictures/products/ruh-gulab.webp`, which comes in many widths, or an address elsewhere, which comes as it is. */
  readonly src: string | undefined;
  readonly alt: string;
  /** Natural size in px: keeps the place while the picture is under way. Product pictures are 1200 × 1500. */
  readonly width?: number;
  readonly height?: number;
  /** How wide it is drawn, as `sizes` takes it. */
  readonly sizes: string;
  /** The one picture that the first paint waits for. */
  readonly priority?: boolean | undefined;
  readonly className?: string | undefined;
};

/** AVIF, else WebP, in the width that fits; a picture that is missing shows the drawn placeholder. */
export const Picture = ({ src, alt, width = 1200, height = 1500, sizes, priority = false, className }: PictureProps) => {
  const [missing, setMissing] = useState<string>();
  const address = src === undefined || src === missing ? PLACEHOLDER : src;
  const showPlaceholder: ReactEventHandler<HTMLImageElement> = () => setMissing(src);
  return (
    <picture className="contents">
      {/* Under `contents` a source would count as an item of the flex row that the picture stands in. */}
      <source type="image/avif" srcSet={srcSetOf(address, 'avif')} sizes={sizes} className="hidden" />
      <img
        src={address}
        srcSet={srcSetOf(address, 'webp')}
        sizes={sizes}
        alt={alt}
        width={width}
        height={height}
        loading={priority ? 'eager' : 'lazy'}
        fetchPriority={priority ? 'high' : 'auto'}
        decoding="async"
        draggable={false}
        onError={showPlaceholder}
        className={cx(className, address === PLACEHOLDER && 'bg-paper object-contain!')}
      />
    </picture>
  );
};
