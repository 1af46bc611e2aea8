let isCapturing = false;
let clicked: HTMLButtonElement[] = [];

/** Stops the click: without listeners it would be lost, or be handled twice. */
const capture = (event: Event): void => {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (!button) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  clicked.push(button);
};

/**
 * Records clicks on a server-rendered page until it is hydrated, so that an early press on Add to Cart is not lost. Links work without
 * scripts, and typed text stays in its field.
 */
export const captureEarlyEvents = (): void => {
  isCapturing = true;
  document.addEventListener('click', capture, true);
};

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

/** After hydration: dispatches what was typed, then what was clicked, once. */
export const replayEarlyEvents = (): void => {
  // Tests take the absence of this template as the sign that the page is interactive.
  document.getElementById('scripts')?.remove();
  if (!isCapturing) return;
  isCapturing = false;
  document.removeEventListener('click', capture, true);
  const typed = typedSoFar();
  const captured = clicked;
  clicked = [];
  // After the effect that called: only then does React render after each event, so that a form knows one field when the next one comes.
  setTimeout(() => {
    for (const repeat of typed) repeat();
    for (const button of captured) if (button.isConnected) button.click();
  });
};
