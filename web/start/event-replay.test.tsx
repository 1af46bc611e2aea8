import { useEffect, useState } from 'react';
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
  await vi.waitFor(() => expect(Object.keys(box).some((key) => key.startsWith('__react'))).toBe(true));
  replayEarlyEvents();
  await vi.waitFor(() => expect(root.querySelector('p')?.textContent).toBe('Ruh Gulab'));
  expect(box.value).toBe('Ruh Gulab');
});

test('all fields typed before hydration reach a form that spreads its values', async () => {
  const BLANK = { name: '', email: '', phone: '', password: '', message: '', consent: false };
  const Form = () => {
    const [values, setValues] = useState(BLANK);
    const type = (change: Partial<typeof BLANK>) => setValues({ ...values, ...change });
    useEffect(() => replayEarlyEvents(), []);
    return (
      <form>
        <input type="text" name="name" value={values.name} onChange={({ target }) => type({ name: target.value })} />
        <input type="email" name="email" value={values.email} onChange={({ target }) => type({ email: target.value })} />
        <input type="tel" name="phone" value={values.phone} onChange={({ target }) => type({ phone: target.value })} />
        <input type="password" name="password" value={values.password} onChange={({ target }) => type({ password: target.value })} />
        <textarea name="message" value={values.message} onChange={({ target }) => type({ message: target.value })} />
        <input type="checkbox" name="consent" checked={values.consent} onChange={({ target }) => type({ consent: target.checked })} />
        <p>{JSON.stringify(values)}</p>
      </form>
    );
  };
  const root = page(renderToString(<Form />));
  captureEarlyEvents();
  const typed = { name: 'Meera', email: 'meera@example.com', phone: '98470', password: 'jasmine', message: 'Ruh Gulab', consent: true };
  for (const field of root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
    const value: unknown = Reflect.get(typed, field.name);
    if (typeof value === 'string') field.value = value;
    else field.click();
  }
  hydrateRoot(root, <Form />);
  await vi.waitFor(() => expect(JSON.parse(root.querySelector('p')?.textContent ?? '')).toEqual(typed));
  expect(root.querySelector('textarea')?.value).toBe('Ruh Gulab');
  expect(root.querySelector<HTMLInputElement>('[type=checkbox]')?.checked).toBe(true);
});
