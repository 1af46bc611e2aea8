import { useState, type ReactEventHandler } from 'react';
import type { ProductCategory } from '#domain/product/events.ts';
import { createSrcSet } from '#domain/site/pictures.ts';
import { cx } from './cx.ts';

const PLACEHOLDER = '/pictures/placeholder.svg';

type PictureProps = {
  /** A path such as `/pictures/products/ruh-gulab.webp` exists in many widths. An external URL is used as it is. */
  readonly src: string | undefined;
  readonly alt: string;
  /** The intrinsic size in px reserves the space while the picture loads. Product pictures are 1200 × 1500. */
  readonly width?: number;
  readonly height?: number;
  readonly sizes: string;
  /** Set it for the one picture that the first paint waits for. */
  readonly priority?: boolean | undefined;
  /** The perfume's family, whose colour is shown until the picture has loaded. */
  readonly family?: ProductCategory | '' | undefined;
  readonly className?: string | undefined;
};

/** The background colour of each family's pictures. */
const walls: Readonly<Record<ProductCategory | '', string>> = {
  oud: 'bg-oud',
  floral: 'bg-floral',
  fresh: 'bg-fresh',
  musk: 'bg-musk',
  attar: 'bg-attar',
  '': 'bg-paper',
};

/** A picture as AVIF or WebP in a fitting width. A placeholder replaces a missing one. */
export const Picture = ({ src, alt, width = 1200, height = 1500, sizes, priority = false, family, className }: PictureProps) => {
  const [missing, setMissing] = useState<string>();
  const address = src === undefined || src === missing ? PLACEHOLDER : src;
  const showPlaceholder: ReactEventHandler<HTMLImageElement> = () => setMissing(src);
  return (
    <picture className="contents">
      {/* The source is hidden: with `display: contents` it would be a flex item of the picture's row. */}
      <source type="image/avif" srcSet={createSrcSet(address, 'avif')} sizes={sizes} className="hidden" />
      <img
        src={address}
        srcSet={createSrcSet(address, 'webp')}
        sizes={sizes}
        alt={alt}
        width={width}
        height={height}
        loading={priority ? 'eager' : 'lazy'}
        fetchPriority={priority ? 'high' : 'auto'}
        decoding="async"
        draggable={false}
        onError={showPlaceholder}
        className={cx(className, address === PLACEHOLDER ? 'bg-paper object-contain!' : family !== undefined && walls[family])}
      />
    </picture>
  );
};
