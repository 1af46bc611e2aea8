let clicked: HTMLButtonElement[] = [];

/** Before anybody listens the click goes no further: it would be lost, or be done twice. */
const keep = (event: Event): void => {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (!button) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  clicked.push(button);
};

/**
 * Keeps the clicks on buttons that are drawn already and do not work yet: whoever presses Add to Cart the moment it is seen has said what
 * they want. Links need no keeping, they lead on by themselves.
 */
export const keepEarlyClicks = (): void => document.addEventListener('click', keep, true);

/** Does what was clicked, on the page that works now; nothing the second time. */
export const doEarlyClicks = (): void => {
  document.removeEventListener('click', keep, true);
  const early = clicked;
  clicked = [];
  for (const button of early) if (button.isConnected) button.click();
};
