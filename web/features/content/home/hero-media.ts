import type { HeroVariant } from '#domain/site/pictures.ts';
import type { HeroContent } from '../site-content-types.ts';

/** The media query for portrait is the complement of the variant `sideways` in styles.css. */
export const PORTRAIT = '(width < 48rem), (width < 64rem) and (orientation: portrait)';
export const LANDSCAPE = '(width >= 64rem), (width >= 48rem) and (orientation: landscape)';
export const BOTTLE_SIZES = '(min-width: 64rem) 30vw, 60vw';

export const chooseHeroVariant = ({ variant, split }: Pick<HeroContent, 'variant' | 'split'>): HeroVariant =>
  variant ?? (split.foregroundImage.length > 0 ? 'split' : 'center');
