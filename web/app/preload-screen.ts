import { contentLoaded } from '../features/content/content-slice.ts';
import type { Address } from './screen.ts';
import { preloadRoute } from './routes.tsx';
import type { createServerStore } from './store.ts';

/**
 * Brings all that the first screen at this address is made of: its script, the words of the shop and the answers to its first calls, so
 * that it can be drawn in one go, by the server and then, the same, by the browser. Fails when a script does not come.
 */
export const preloadScreen = async (
  { dispatch }: Pick<ReturnType<typeof createServerStore>, 'dispatch'>,
  address: Address,
): Promise<void> => {
  const words = import('../features/content/site-content.ts');
  const screen = await preloadRoute(address.pathname);
  await screen?.firstCalls?.(dispatch, address);
  dispatch(contentLoaded((await words).siteContent));
};
