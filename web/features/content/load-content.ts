import { heroes, type HeroVariant } from '#domain/site/pictures.ts';
import type { SiteContent } from './site-content-types.ts';

/** Site content is data in a chunk of its own, so that it can change without the app's script. `hero`: the configured variant, if any. */
export const loadSiteContent = async (hero: HeroVariant | undefined): Promise<SiteContent> => {
  const { siteContent } = await import('./site-content.ts');
  return hero ? { ...siteContent, hero: { ...siteContent.hero, variant: hero } } : siteContent;
};

/** The variant that the server was configured with (`HERO`), which it puts into every document; undefined when it was not. */
export const configuredHero = (): HeroVariant | undefined => {
  const named = document.querySelector<HTMLMetaElement>('meta[name=hero]')?.content;
  return heroes.find((variant) => variant === named);
};
