let isCapturing = false;
let isHydrating = false;
let clicked: HTMLElement[] = [];

/** Returns whether the router would follow the link: not if it opens a tab, saves a file or leaves the shop. */
const isFollowedHere = (link: HTMLAnchorElement, { button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  link.origin === location.origin && !link.target && !link.download && button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);

/** Stops the click, which would be lost without listeners, or handled twice. */
const capture = (event: MouseEvent): void => {
  const control = event.target instanceof Element ? event.target.closest<HTMLButtonElement | HTMLAnchorElement>('button, a') : null;
  if (!control) return;
  if (control instanceof HTMLAnchorElement && !(isHydrating && isFollowedHere(control, event))) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  clicked.push(control);
};

/**
 * Records clicks on a server-rendered page until it is hydrated, so that an early press on Add to Cart is not lost. Links work and fields
 * keep typed text without scripts.
 */
export const captureEarlyEvents = (): void => {
  isCapturing = true;
  document.addEventListener('click', capture, true);
};

/**
 * Records clicks on links too, from the start of hydration. React hydrates a page in parts, and a part hydrated after a navigation would be
 * hydrated as the next page.
 */
export const captureLinks = (): void => void (isHydrating = true);

type Field = HTMLInputElement | HTMLTextAreaElement;
const TEXT_FIELDS = 'input:is([type=text],[type=search],[type=email],[type=tel],[type=password],:not([type])), textarea';
const CHECKBOXES = 'input[type=checkbox]';

const defaultIndexOf = ({ options }: HTMLSelectElement): number =>
  Math.max(
    0,
    [...options].findIndex(({ defaultSelected }) => defaultSelected),
  );

/**
 * React ignores an input event whose value it already knows, so the field is first reset to its default and then set through the native
 * setter.
 */
const dispatchInput = (field: Field, text: string): void => {
  field.value = field.defaultValue;
  Reflect.set(Object.getPrototypeOf(field), 'value', text, field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

const dispatchChoice = (select: HTMLSelectElement, value: string): void => {
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
};

/** React ignores a change that it already knows, so the box is first reset to its default. */
const dispatchClick = (box: HTMLInputElement): void => {
  box.checked = box.defaultChecked;
  box.click();
};

/** Returns functions that repeat what the shopper typed, chose or ticked. Values are read now, because a render for one field resets others. */
const typedSoFar = (): readonly (() => void)[] => {
  const fields = [...document.querySelectorAll<Field>(TEXT_FIELDS)].filter((field) => field.value !== field.defaultValue);
  const boxes = [...document.querySelectorAll<HTMLInputElement>(CHECKBOXES)].filter((box) => box.checked !== box.defaultChecked);
  const selects = [...document.querySelectorAll('select')].filter((select) => select.selectedIndex !== defaultIndexOf(select));
  const texts = [...fields, ...selects].map(({ value }) => value);
  return [
    ...fields.map((field, index) => () => dispatchInput(field, texts[index] ?? '')),
    ...selects.map((select, index) => () => dispatchChoice(select, texts[fields.length + index] ?? '')),
    ...boxes.map((box) => () => dispatchClick(box)),
  ];
};

/** Dispatches recorded input, then recorded clicks, once after hydration, also on a failed page, whose error screen has buttons. */
export const replayEarlyEvents = (): void => {
  // Browser tests wait for this template to be gone as the sign that the page is interactive.
  document.getElementById('scripts')?.remove();
  if (!isCapturing) return;
  isCapturing = false;
  isHydrating = false;
  document.removeEventListener('click', capture, true);
  const typed = typedSoFar();
  const captured = clicked;
  clicked = [];
  // A timer runs after the calling effect. Only then does React render after each event, so that a form knows one field before the next.
  setTimeout(() => {
    for (const repeat of typed) repeat();
    for (const control of captured) if (control.isConnected) control.click();
  });
};
