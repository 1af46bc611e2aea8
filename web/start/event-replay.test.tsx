import { waitFor } from '@testing-library/react';
import { useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { captureEarlyEvents, captureLinks, replayEarlyEvents } from './event-replay.ts';

afterEach(() => document.body.replaceChildren());

const page = (html: string): HTMLElement => {
  const root = document.createElement('div');
  root.innerHTML = html;
  document.body.append(root);
  return root;
};
const buttonIn = (root: HTMLElement): HTMLElement => root.querySelector('button') ?? expect.fail('no button');

const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('a click before hydration is replayed once after it', async () => {
  const root = page('<button><span>Add to Cart</span></button>');
  const add = vi.fn();
  buttonIn(root).addEventListener('click', add);
  captureEarlyEvents();
  root.querySelector('span')?.click();
  expect(add).not.toHaveBeenCalled();
  replayEarlyEvents();
  replayEarlyEvents();
  await aMoment();
  expect(add).toHaveBeenCalledTimes(1);
  buttonIn(root).click();
  expect(add).toHaveBeenCalledTimes(2);
});

test('a click on a removed button, or beside one, is ignored', async () => {
  const root = page('<button>Add to Cart</button><p>Oud</p>');
  const add = vi.fn();
  const button = buttonIn(root);
  captureEarlyEvents();
  root.querySelector('p')?.click();
  button.click();
  button.addEventListener('click', add);
  button.remove();
  replayEarlyEvents();
  await aMoment();
  expect(add).not.toHaveBeenCalled();
});

const heardAt = (link: HTMLElement, click: MouseEventInit = {}): boolean => {
  let heard = false;
  const onClick = (event: Event): void => {
    heard = true;
    event.preventDefault();
  };
  link.addEventListener('click', onClick);
  link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...click }));
  link.removeEventListener('click', onClick);
  return heard;
};

test('a link works at once before hydration, and a click on it during hydration is replayed', async () => {
  const root = page('<a href="/shop">Shop</a>');
  const link = root.querySelector('a') ?? expect.fail('no link');
  captureEarlyEvents();
  expect(heardAt(link)).toBe(true);
  captureLinks();
  expect(heardAt(link)).toBe(false);
  const follow = vi.fn((event: Event) => event.preventDefault());
  link.addEventListener('click', follow);
  replayEarlyEvents();
  await aMoment();
  expect(follow).toHaveBeenCalledTimes(1);
});

test('a link that leaves the page is left to the browser, even during hydration', () => {
  const root = page(
    '<a href="/shop">Shop</a><a href="/shop" target="_blank">Tab</a><a href="/a.pdf" download="a.pdf">File</a><a href="mailto:a@b.example">Mail</a>',
  );
  captureEarlyEvents();
  captureLinks();
  const [shop, ...others] = root.querySelectorAll('a');
  for (const link of others) expect(heardAt(link), link.textContent).toBe(true);
  expect(shop && heardAt(shop, { ctrlKey: true })).toBe(true);
  replayEarlyEvents();
});

test('text typed before hydration reaches the form', async () => {
  const NameForm = () => {
    const [name, setName] = useState('');
    return (
      <>
        <input type="text" value={name} onChange={({ target }) => setName(target.value)} />
        <p>{name}</p>
      </>
    );
  };
  const root = page(renderToString(<NameForm />));
  captureEarlyEvents();
  const box = root.querySelector('input') ?? expect.fail('no box');
  box.value = 'Ruh Gulab';
  hydrateRoot(root, <NameForm />);
  // The page is hydrated, but React has not seen the typed text.
  await waitFor(() => expect(Object.keys(box).some((key) => key.startsWith('__react'))).toBe(true));
  replayEarlyEvents();
  await waitFor(() => expect(root.querySelector('p')?.textContent).toBe('Ruh Gulab'));
  expect(box.value).toBe('Ruh Gulab');
});
