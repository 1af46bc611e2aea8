import { heroes, type HeroVariant } from '#domain/site/pictures.ts';
import type { SiteContent } from './site-content-types.ts';

/** Loads the site content from its own chunk, so that it can change without the app's script. `hero` is the configured variant. */
export const loadSiteContent = async (hero: HeroVariant | undefined): Promise<SiteContent> => {
  const { siteContent } = await import('./site-content.ts');
  return hero ? { ...siteContent, hero: { ...siteContent.hero, variant: hero } } : siteContent;
};

/** Returns the variant that the server is configured with (`HERO`) and writes into every document, or undefined if there is none. */
export const configuredHero = (): HeroVariant | undefined => {
  const named = document.querySelector<HTMLMetaElement>('meta[name=hero]')?.content;
  return heroes.find((variant) => variant === named);
};
