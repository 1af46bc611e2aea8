import { useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { replayEarlyEvents, captureEarlyEvents } from './event-replay.ts';

afterEach(() => document.body.replaceChildren());

const page = (html: string): HTMLElement => {
  const root = document.createElement('div');
  root.innerHTML = html;
  document.body.append(root);
  return root;
};
const buttonIn = (root: HTMLElement): HTMLElement => root.querySelector('button') ?? expect.fail('no button');

/** Waits for one macrotask. */
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
  // Hydrated, but React does not know of the click.
  await vi.waitFor(() => expect(Object.keys(box).some((key) => key.startsWith('__react'))).toBe(true));
  replayEarlyEvents();
  await vi.waitFor(() => expect(root.querySelector('p')?.textContent).toBe('Ruh Gulab'));
  expect(box.value).toBe('Ruh Gulab');
});
