import type { SiteContent } from '../site-content-types.ts';
import { HeroCenter } from './HeroCenter.tsx';
import { HeroSplit } from './HeroSplit.tsx';

/** The content chooses which of the two. */
export const Hero = ({ hero }: { readonly hero: SiteContent['hero'] }) =>
  hero.variant === 'center' ? <HeroCenter content={hero.center} /> : <HeroSplit content={hero.split} />;
