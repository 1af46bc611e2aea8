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

/**
 * React ignores an input event whose value it knows already, so the field is reset to its default first and then set through the native
 * setter.
 */
const dispatchInput = (field: Field): void => {
  const text = field.value;
  field.value = field.defaultValue;
  Reflect.set(Object.getPrototypeOf(field), 'value', text, field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

/** After hydration: dispatches what was typed, then what was clicked, once. */
export const replayEarlyEvents = (): void => {
  // Tests take the absence of this template as the sign that the page is interactive.
  document.getElementById('scripts')?.remove();
  if (!isCapturing) return;
  isCapturing = false;
  document.removeEventListener('click', capture, true);
  const fields = document.querySelectorAll<Field>('input:is([type=text],[type=search],[type=email],[type=tel],:not([type])), textarea');
  for (const field of fields) if (field.value !== field.defaultValue) dispatchInput(field);
  const captured = clicked;
  clicked = [];
  // After React has handled the typed text, which a button may send.
  setTimeout(() => {
    for (const button of captured) if (button.isConnected) button.click();
  });
};
