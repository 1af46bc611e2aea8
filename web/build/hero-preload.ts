import { srcSetOf } from '#domain/pictures.ts';
import { BOTTLE_SIZES, SIDEWAYS, UPRIGHT } from '../features/content/home/hero-media.ts';
import type { SiteContent } from '../features/content/site-content-types.ts';

const preloadOf = (address: string, sizes: string, media?: string): string =>
  `<link rel="preload" as="image" type="image/avif" fetchpriority="high" imagesrcset="${srcSetOf(address, 'avif')}" imagesizes="${sizes}"` +
  `${media ? ` media="${media}"` : ''}>`;

/** The largest picture of the home page, in the width and the variant that this window will show. */
export const heroPreload = ({ variant, center, split }: SiteContent['hero']): string[] => {
  if (variant === 'center') {
    return [preloadOf(center.backgroundImageMobile.src, '100vw', UPRIGHT), preloadOf(center.backgroundImage.src, '100vw', SIDEWAYS)];
  }
  const [first] = split.foregroundImage;
  return first ? [preloadOf(first.picture.src, BOTTLE_SIZES)] : [];
};
