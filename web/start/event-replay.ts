let isCapturing = false;
let clicked: HTMLButtonElement[] = [];

/** Before anybody listens the click goes no further: it would be lost, or be done twice. */
const capture = (event: Event): void => {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (!button) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  clicked.push(button);
};

/**
 * Keeps what is done on a page that is drawn already and does not work yet: whoever presses Add to Cart the moment it is seen has said what
 * they want. Links need no keeping, they lead on by themselves, and what is typed stands in its field.
 */
export const captureEarlyEvents = (): void => {
  isCapturing = true;
  document.addEventListener('click', capture, true);
};

type Field = HTMLInputElement | HTMLTextAreaElement;

/** To React a field holds what it last saw there, and it hears only of what is different. */
const dispatchInput = (field: Field): void => {
  const text = field.value;
  field.value = field.defaultValue;
  Reflect.set(Object.getPrototypeOf(field), 'value', text, field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

/** Does what was done too early, on the page that works now: what was typed, then what was clicked. Nothing the second time. */
export const replayEarlyEvents = (): void => {
  // A page that still names its scripts does not work yet.
  document.getElementById('scripts')?.remove();
  if (!isCapturing) return;
  isCapturing = false;
  document.removeEventListener('click', capture, true);
  const fields = document.querySelectorAll<Field>('input:is([type=text],[type=search],[type=email],[type=tel],:not([type])), textarea');
  for (const field of fields) if (field.value !== field.defaultValue) dispatchInput(field);
  const captured = clicked;
  clicked = [];
  // Once the page has taken in what was typed: a button sends it.
  setTimeout(() => {
    for (const button of captured) if (button.isConnected) button.click();
  });
};
