import { matchPath } from 'react-router-dom';
import { warmUp } from '../lib/api.ts';
import type { Page } from './routes.tsx';

/** Somebody is about to go there: points at a link, touches it, or reaches it by keyboard. */
const INTENTS = ['pointerover', 'touchstart', 'focusin'] as const;
/** Somebody is about to do something, of which most is a call. */
const DEEDS = ['pointerdown', 'keydown'] as const;

const linkUnder = ({ target }: Event): HTMLAnchorElement | null => (target instanceof Element ? target.closest('a') : null);

/** What did not come now is asked for again, and missed, when it is needed. */
const quietly = (fetched: Promise<unknown>): void => void fetched.catch(() => undefined);

/**
 * Fetches the script of a page while the hand is still on the way to its link, and what calls are made with at the first deed: by the
 * click it is there, and whoever only reads fetches nothing.
 */
export const prefetchOnIntent = (pages: readonly Page[]): void => {
  const onIntent = (event: Event): void => {
    const link = linkUnder(event);
    if (link?.origin !== location.origin) return;
    const page = pages.find(({ path }) => matchPath(path, link.pathname));
    if (page) quietly(page.lazy());
  };
  for (const intent of INTENTS) document.addEventListener(intent, onIntent, { passive: true });
  for (const deed of DEEDS) document.addEventListener(deed, () => quietly(warmUp()), { passive: true, once: true });
};
