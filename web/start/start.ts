import '../styles.css';
import { captureEarlyEvents } from './event-replay.ts';

/** For a page whose scripts did not come: it looks as if it worked, so it is told that it does not, and what to do. */
const showLoadFailure = (): void => {
  const again = document.createElement('a');
  again.href = location.pathname + location.search;
  again.className = 'link inline-flex min-h-8 items-center font-semibold';
  again.textContent = 'Load the page again';
  const notice = document.createElement('div');
  notice.setAttribute('role', 'alert');
  notice.className =
    'on-dark page-x fixed inset-x-0 bottom-0 z-50 flex min-h-11 flex-wrap items-center gap-x-5 bg-umber py-3 text-[0.9375rem] text-ivory sm:justify-center';
  notice.append('Part of this page did not come, so its buttons do nothing yet. Check your connection.', again);
  document.body.append(notice);
};

/*
 * The first script of every page, and the only one before its first paint: where the server has drawn the page, line and processor of a
 * phone belong to the picture and the letters first, and then to the scripts that make it work.
 */

/** What somebody does who does more than look on: it is not kept waiting. */
const INTERACTIONS = ['pointerdown', 'keydown', 'focusin'] as const;
/** Nobody waits longer than this for a picture that does not come; in ms. */
const MAX_WAIT_MS = 3000;

/** Settles when the page is painted with all that it was sent with, or is taken in hand. */
const painted = (): Promise<void> =>
  new Promise((resolve) => {
    const afterNextFrame = (): void => void requestAnimationFrame(() => setTimeout(resolve));
    if (document.readyState === 'complete') afterNextFrame();
    else addEventListener('load', afterNextFrame, { once: true });
    for (const deed of INTERACTIONS) addEventListener(deed, () => resolve(), { once: true, passive: true });
    setTimeout(resolve, MAX_WAIT_MS);
  });

/** All that this page needs is named in it (api/pages/shell.ts): it is fetched at once, and not each after the one that asks for it. */
const fetchScripts = (): void => {
  const named = document.getElementById('scripts');
  if (named instanceof HTMLTemplateElement) document.head.append(named.content);
};

const begin = (): void => {
  fetchScripts();
  import('../main.tsx').catch((error: unknown) => {
    showLoadFailure();
    throw error;
  });
};

if (document.getElementById('root')?.hasChildNodes()) {
  captureEarlyEvents();
  void painted().then(begin);
} else begin();
