import '../styles.css';
import { keepEarlyDeeds } from './event-replay.ts';
import { sayNotWorking } from './not-working.ts';

/*
 * The first script of every page, and the only one before its first paint: where the server has drawn the page, line and processor of a
 * phone belong to the picture and the letters first, and then to the scripts that make it work.
 */

/** What somebody does who does more than look on: it is not kept waiting. */
const DEEDS = ['pointerdown', 'keydown', 'focusin'] as const;
/** Nobody waits longer than this for a picture that does not come; in ms. */
const LONGEST = 3000;

/** Settles when the page is painted with all that it was sent with, or is taken in hand. */
const painted = (): Promise<void> =>
  new Promise((resolve) => {
    const afterNextFrame = (): void => void requestAnimationFrame(() => setTimeout(resolve));
    if (document.readyState === 'complete') afterNextFrame();
    else addEventListener('load', afterNextFrame, { once: true });
    for (const deed of DEEDS) addEventListener(deed, () => resolve(), { once: true, passive: true });
    setTimeout(resolve, LONGEST);
  });

/** All that this page needs is named in it (api/pages/shell.ts): it is fetched at once, and not each after the one that asks for it. */
const fetchScripts = (): void => {
  const named = document.getElementById('scripts');
  if (named instanceof HTMLTemplateElement) document.head.append(named.content);
};

const begin = (): void => {
  fetchScripts();
  import('../main.tsx').catch((error: unknown) => {
    sayNotWorking();
    throw error;
  });
};

if (document.getElementById('root')?.hasChildNodes()) {
  keepEarlyDeeds();
  void painted().then(begin);
} else begin();
