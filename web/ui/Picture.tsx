import { useState, type ReactEventHandler } from 'react';
import { srcSetOf } from '#domain/site/pictures.ts';
import { cx } from './cx.ts';

const PLACEHOLDER = '/pictures/placeholder.svg';

type PictureProps = {
  /** `/pictures/products/ruh-gulab.webp`, which exists in many widths, or an external URL, which is used as it is. */
  readonly src: string | undefined;
  readonly alt: string;
  /** Intrinsic size in px, which reserves the space while the picture loads. Product pictures are 1200 × 1500. */
  readonly width?: number;
  readonly height?: number;
  /** The `sizes` attribute. */
  readonly sizes: string;
  /** For the one picture that the first paint waits for. */
  readonly priority?: boolean | undefined;
  readonly className?: string | undefined;
};

/** AVIF, else WebP, in a fitting width; a missing picture shows a placeholder. */
export const Picture = ({ src, alt, width = 1200, height = 1500, sizes, priority = false, className }: PictureProps) => {
  const [missing, setMissing] = useState<string>();
  const address = src === undefined || src === missing ? PLACEHOLDER : src;
  const showPlaceholder: ReactEventHandler<HTMLImageElement> = () => setMissing(src);
  return (
    <picture className="contents">
      {/* Hidden: with `display: contents` a source would be a flex item of the picture's row. */}
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
