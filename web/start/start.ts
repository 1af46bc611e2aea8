import '../styles.css';
import { captureEarlyEvents } from './event-replay.ts';

/** A page without its scripts looks as if it worked, so this tells the shopper that it does not and offers a reload. */
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
 * This is the first script of every page and the only one before the first paint, so that a phone's network and processor first load the
 * picture and the fonts of a server-rendered page, then the other scripts.
 */

/** A shopper who does one of these needs the scripts now. */
const INTERACTIONS = ['pointerdown', 'keydown', 'focusin'] as const;
/** Longest wait for a picture that does not load. */
const MAX_WAIT_MS = 3000;

/** Resolves when the page has painted with its picture and fonts, or at the first interaction. */
const painted = (): Promise<void> =>
  new Promise((resolve) => {
    const afterNextFrame = (): void => void requestAnimationFrame(() => setTimeout(resolve));
    if (document.readyState === 'complete') afterNextFrame();
    else addEventListener('load', afterNextFrame, { once: true });
    for (const type of INTERACTIONS) addEventListener(type, () => resolve(), { once: true, passive: true });
    setTimeout(resolve, MAX_WAIT_MS);
  });

/** Fetches all scripts that the document lists (api/site/shell.ts), in parallel instead of one after the other. */
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
