import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { instant } from '#domain/shared/time.ts';
import { FakeLive } from '../../../testing/fake-live.ts';
import { message } from '../testing/shop-data.ts';
import { openSiteManager } from '../testing/open-site-manager.tsx';

const answered = { text: 'It is.', at: instant('2026-11-22T08:00:00.000Z'), by: 'Devika Rao' };
const arjun = message({ _id: '2', name: 'Arjun Rao', message: 'Please add a plate to RH-C9RJ5VTE.' });
const leela = message({ _id: '3', name: 'Leela Menon', state: 'answered', answers: [answered] });

test('the messages that wait are shown first, and one is read and answered with the keyboard alone', async () => {
  const { asked, server } = openSiteManager('messages', { messages: [message(), arjun, leela] });
  const nav = within(screen.getByRole('navigation', { name: 'Panels' }));
  expect(await nav.findByRole('link', { name: 'Messages 2 to answer' })).toBeInstanceOf(HTMLElement);
  await userEvent.click(await screen.findByRole('link', { name: /Arjun Rao/ }));
  expect(screen.queryByRole('link', { name: /Leela/ })).toBeNull();
  const read = within(await screen.findByRole('article'));
  expect(read.getByRole('heading', { name: 'Arjun Rao' })).toBeInstanceOf(HTMLElement);
  expect(read.getByRole('link', { name: 'RH-C9RJ5VTE' }).getAttribute('href')).toBe('/admin/site-manager?panel=orders&q=RH-C9RJ5VTE');

  const box = read.getByRole('textbox', { name: /^Your answer/ });
  await userEvent.type(box, '{Control>}{Enter}{/Control}');
  expect(await read.findByText('Required')).toBeInstanceOf(HTMLElement);
  server.instead = ({ url, body }) => {
    if (url !== '/contact/2' || body === undefined) return undefined;
    server.messages = [message(), { ...arjun, state: 'answered', answers: [answered] }, leela];
    return { data: server.messages[1] };
  };
  await userEvent.type(box, 'It is here.{Control>}{Enter}{/Control}');
  await waitFor(() =>
    expect(asked.find(({ url }) => url === '/contact/2')).toMatchObject({ body: { answer: 'It is here.', again: false } }),
  );
  expect(asked.find(({ url }) => url === '/contact/2')?.key).toEqual(expect.any(String));
  expect(await nav.findByRole('link', { name: 'Messages 1 to answer' })).toBeInstanceOf(HTMLElement);
});

test('an answered message says by whom, and a further answer is sent only on purpose', async () => {
  const { asked } = openSiteManager('messages&status=answered', { messages: [leela] });
  await userEvent.click(await screen.findByRole('link', { name: /Leela Menon.*Answered by Devika Rao/s }));
  const read = within(await screen.findByRole('article'));
  expect(read.getByText('Answered by Devika Rao, 22 Nov 2026, 13:30')).toBeInstanceOf(HTMLElement);
  expect(read.queryByRole('textbox')).toBeNull();
  await userEvent.click(read.getByRole('button', { name: 'Send answer again' }));
  await userEvent.type(read.getByRole('textbox', { name: /^Your further answer/ }), 'Or so.');
  await userEvent.click(read.getByRole('button', { name: 'Send answer again' }));
  await waitFor(() => expect(asked.find(({ url }) => url === '/contact/3')).toMatchObject({ body: { answer: 'Or so.', again: true } }));
});

test.each([
  ['meher@example.con', 'An answer did not reach meher@example.con.'],
  [null, 'An answer did not reach Leela Menon.'],
])('a message says that an answer to %s did not arrive', async (to, text) => {
  const reason = 'The mail server refused the address (EENVELOPE 550)';
  openSiteManager('messages&status=answered&open=3', { messages: [{ ...leela, mailProblem: { to, reason, at: answered.at } }] });
  const problem = (await within(await screen.findByRole('article')).findByText(text)).parentElement;
  expect(problem?.textContent).toBe(`${text} ${reason}. It was given up on 22 Nov 2026.`);
});

test('an answer that a colleague gave meanwhile is told, and what was typed stays', async () => {
  const { server } = openSiteManager('messages&open=1', { messages: [message()] });
  const box = within(await screen.findByRole('article')).getByRole('textbox');
  server.instead = ({ url }) =>
    url === '/contact/1' ? { status: 409, data: { message: 'This message has an answer already.' } } : undefined;
  await userEvent.type(box, 'It is.');
  await userEvent.click(screen.getByRole('button', { name: 'Send answer' }));
  expect((await screen.findByRole('alert')).textContent).toContain('This message has an answer already.');
  expect(box).toHaveProperty('value', 'It is.');
});

const bela = message({ _id: '4', name: 'Bela Rao' });
const chitra = message({ _id: '5', name: 'Chitra Rao' });
const box = async (name: string) => {
  const heading = await screen.findByRole('heading', { name });
  return within(heading.closest('article') ?? expect.fail('no article')).getByRole('textbox', { name: /^Your answer/ });
};

test.each([
  ['the first message was answered', ''],
  ['the message that was opened was answered', '&open=2'],
])('a newer message does not take the place of the one that is answered, after %s', async (_case, open) => {
  const { server } = openSiteManager(`messages${open}`, { messages: [arjun, bela] });
  server.instead = ({ url, body }) => {
    if (url !== '/contact/2' || body === undefined) return undefined;
    server.messages = [{ ...arjun, state: 'answered', answers: [answered] }, bela];
    return { data: server.messages[0] };
  };
  await userEvent.type(await box('Arjun Rao'), 'Yes.{Control>}{Enter}{/Control}');
  const next = await box('Bela Rao');
  await userEvent.type(next, 'Dear Bela');
  server.messages = [chitra, ...server.messages];
  act(() => FakeLive.latest?.push('messages'));
  await screen.findByRole('link', { name: /Chitra Rao/ });
  expect(document.activeElement).toBe(next);
});

test('another list begins with its first message, whose place no newer one takes', async () => {
  const { server } = openSiteManager('messages&status=answered', { messages: [leela, bela] });
  await screen.findByRole('heading', { name: 'Leela Menon' });
  await userEvent.click(screen.getByRole('button', { name: /^To answer/ }));
  const typed = await box('Bela Rao');
  await userEvent.type(typed, 'Dear Bela');
  server.messages = [chitra, leela, bela];
  act(() => FakeLive.latest?.push('messages'));
  await screen.findByRole('link', { name: /Chitra Rao/ });
  expect(document.activeElement).toBe(typed);
});

test('a message that a colleague has answered meanwhile stays with what is typed to it, and says that it has left the list', async () => {
  const { server } = openSiteManager('messages', { messages: [arjun, bela] });
  const typed = await box('Arjun Rao');
  await userEvent.type(typed, 'Dear Arjun');
  server.messages = [{ ...arjun, state: 'answered', answers: [answered] }, bela];
  act(() => FakeLive.latest?.push('messages'));
  await screen.findByText('This message is no longer in this list. Look for it under All before you answer it.');
  expect(document.activeElement).toBe(typed);
  await userEvent.click(screen.getByRole('link', { name: /Bela Rao/ }));
  await box('Bela Rao');
  expect(screen.queryByText(/no longer in this list/)).toBeNull();
});

test('a message that is named and not in the list is not replaced by another one', async () => {
  openSiteManager('messages&open=far', { messages: [arjun, bela] });
  await screen.findByText('The message that was to be shown is not in this list. Choose another, or load more of the list.');
  expect(screen.queryByRole('article')).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: /Bela Rao/ }));
  await box('Bela Rao');
});
