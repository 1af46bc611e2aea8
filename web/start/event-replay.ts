let isCapturing = false;
let isHydrating = false;
let clicked: HTMLElement[] = [];

/** Whether the router would follow it: not one that opens a tab, saves a file or leads out of the shop. */
const isFollowedHere = (link: HTMLAnchorElement, { button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  link.origin === location.origin && !link.target && !link.download && button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);

/** Stops the click: without listeners it would be lost, or be handled twice. */
const capture = (event: MouseEvent): void => {
  const control = event.target instanceof Element ? event.target.closest<HTMLButtonElement | HTMLAnchorElement>('button, a') : null;
  if (!control) return;
  if (control instanceof HTMLAnchorElement && !(isHydrating && isFollowedHere(control, event))) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  clicked.push(control);
};

/**
 * Records clicks on a server-rendered page until it is hydrated, so that an early press on Add to Cart is not lost. Links work without
 * scripts, and typed text stays in its field.
 */
export const captureEarlyEvents = (): void => {
  isCapturing = true;
  document.addEventListener('click', capture, true);
};

/**
 * Records clicks on links too, from the start of the hydration on: React hydrates a page in parts, and a part that follows a navigation
 * would be hydrated as the next page.
 */
export const captureLinks = (): void => void (isHydrating = true);

type Field = HTMLInputElement | HTMLTextAreaElement;
const TEXT_FIELDS = 'input:is([type=text],[type=search],[type=email],[type=tel],[type=password],:not([type])), textarea';
const CHECKBOXES = 'input[type=checkbox]';

/**
 * React ignores an input event whose value it knows already, so the field is reset to its default first and then set through the native
 * setter.
 */
const dispatchInput = (field: Field, text: string): void => {
  field.value = field.defaultValue;
  Reflect.set(Object.getPrototypeOf(field), 'value', text, field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

/** React ignores a change that it knows already, as above. */
const dispatchClick = (box: HTMLInputElement): void => {
  box.checked = box.defaultChecked;
  box.click();
};

/** What the shopper typed or ticked, as repetitions. The text is read now: a render for one field resets the others. */
const typedSoFar = (): readonly (() => void)[] => {
  const fields = [...document.querySelectorAll<Field>(TEXT_FIELDS)].filter((field) => field.value !== field.defaultValue);
  const boxes = [...document.querySelectorAll<HTMLInputElement>(CHECKBOXES)].filter((box) => box.checked !== box.defaultChecked);
  const texts = fields.map(({ value }) => value);
  return [...fields.map((field, index) => () => dispatchInput(field, texts[index] ?? '')), ...boxes.map((box) => () => dispatchClick(box))];
};

/** After hydration: dispatches what was typed, then what was clicked, once. Also when the page failed: its error screen has buttons. */
export const replayEarlyEvents = (): void => {
  // Tests take the absence of this template as the sign that the page is interactive.
  document.getElementById('scripts')?.remove();
  if (!isCapturing) return;
  isCapturing = false;
  isHydrating = false;
  document.removeEventListener('click', capture, true);
  const typed = typedSoFar();
  const captured = clicked;
  clicked = [];
  // After the effect that called: only then does React render after each event, so that a form knows one field when the next one comes.
  setTimeout(() => {
    for (const repeat of typed) repeat();
    for (const control of captured) if (control.isConnected) control.click();
  });
};
