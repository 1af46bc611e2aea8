import type { IndexHtmlTransformResult, Plugin } from 'vite';
import { type HeroVariant, createSrcSet } from '#domain/site/pictures.ts';
import { BOTTLE_SIZES, LANDSCAPE, PORTRAIT } from '../features/content/home/hero-media.ts';
import type { HeroContent } from '../features/content/site-content-types.ts';

const renderPreload = (address: string, sizes: string, media?: string): string =>
  `<link rel="preload" as="image" type="image/avif" fetchpriority="high" imagesrcset="${createSrcSet(address, 'avif')}" imagesizes="${sizes}"` +
  `${media ? ` media="${media}"` : ''}>`;

export const heroPreload = ({ center, split }: HeroContent, variant: HeroVariant): string[] => {
  if (variant === 'center') {
    return [
      renderPreload(center.backgroundImageMobile.src, '100vw', PORTRAIT),
      renderPreload(center.backgroundImage.src, '100vw', LANDSCAPE),
    ];
  }
  const [first] = split.foregroundImage;
  return first ? [renderPreload(first.picture.src, BOTTLE_SIZES)] : [];
};

/**
 * Preloads fonts that the first paint needs, before the style sheet is parsed. `fonts` are file names in the packages, without hash and
 * extension.
 */
export const preloadFonts = (fonts: readonly string[]): Plugin => ({
  name: 'preload-fonts',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }): IndexHtmlTransformResult =>
      fonts.map((name) => {
        const file = Object.keys(bundle).find((each) => each.startsWith(`assets/${name}-`) && each.endsWith('.woff2'));
        if (!file) throw new Error(`The build has no font ${name}`);
        return { tag: 'link', attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true } };
      }),
  },
});
