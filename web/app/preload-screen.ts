import type { HeroVariant } from '#domain/site/pictures.ts';
import { contentLoaded } from '../features/content/content-slice.ts';
import { loadSiteContent } from '../features/content/load-content.ts';
import type { ScreenAddress } from './screen.ts';
import { preloadRoute } from './routes.tsx';
import type { createServerStore } from './store.ts';

/**
 * Loads what the first render at this address needs: the screen's chunk, the site content and the answers to its first calls. Server and
 * browser both call it, so that hydration finds the same data. It rejects when a chunk fails to load.
 */
export const preloadScreen = async (
  { dispatch }: Pick<ReturnType<typeof createServerStore>, 'dispatch'>,
  address: ScreenAddress,
  hero: HeroVariant | undefined,
): Promise<void> => {
  const content = loadSiteContent(hero);
  const screen = await preloadRoute(address.pathname);
  await screen?.firstCalls?.(dispatch, address);
  dispatch(contentLoaded(await content));
};
