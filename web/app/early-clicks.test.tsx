import { afterEach, expect, test, vi } from 'vitest';
import { doEarlyClicks, keepEarlyClicks } from './early-clicks.ts';

afterEach(() => document.body.replaceChildren());

const page = (html: string): HTMLElement => {
  const root = document.createElement('div');
  root.innerHTML = html;
  document.body.append(root);
  return root;
};
const buttonIn = (root: HTMLElement): HTMLElement => root.querySelector('button') ?? expect.fail('no button');

test('a click on what does not work yet is done once it does, and only once', () => {
  const root = page('<button><span>Add to Cart</span></button>');
  const add = vi.fn();
  buttonIn(root).addEventListener('click', add);
  keepEarlyClicks();
  root.querySelector('span')?.click();
  expect(add).not.toHaveBeenCalled();
  doEarlyClicks();
  doEarlyClicks();
  expect(add).toHaveBeenCalledTimes(1);
  buttonIn(root).click();
  expect(add).toHaveBeenCalledTimes(2);
});

test('a click on what is gone by then, or on no button, is nothing', () => {
  const root = page('<button>Add to Cart</button><p>Oud</p>');
  const add = vi.fn();
  const button = buttonIn(root);
  keepEarlyClicks();
  root.querySelector('p')?.click();
  button.click();
  button.addEventListener('click', add);
  button.remove();
  doEarlyClicks();
  expect(add).not.toHaveBeenCalled();
});
