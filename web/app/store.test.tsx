import { create } from 'axios';
import { expect, test } from 'vitest';
import { loggedIn, loggedOut, newsletterOptedIn } from '../features/auth/auth-slice.ts';
import { contentLoaded, selectContent } from '../features/content/content-slice.ts';
import { siteContent } from '../features/content/site-content.ts';
import { selectSubscriber } from '../features/newsletter/newsletter-slice.ts';
import { api } from '../lib/http/api.ts';
import { answerCalls, NO_ANSWER } from '../testing/shop.tsx';
import { createStore } from './store.ts';
import { ananya } from '../features/auth/testing/open-auth.tsx';

test('a logout resets the state but keeps the site content', () => {
  const store = createStore({ api: create({ adapter: () => NO_ANSWER }), navigate: () => {} });
  store.dispatch(contentLoaded(siteContent));
  store.dispatch(loggedIn(ananya));
  expect(JSON.stringify(store.getState())).toContain('ananya@example.com');
  store.dispatch(loggedOut());
  expect(JSON.stringify(store.getState())).not.toContain('ananya@example.com');
  expect(selectContent(store.getState())).toEqual(siteContent);
});

test('a logout resets every slice that is not listed as public', () => {
  const store = createStore({ api: create({ adapter: () => NO_ANSWER }), navigate: () => {} });
  store.dispatch(newsletterOptedIn(ananya.email));
  expect(selectSubscriber(store.getState()).loading).toBe(true);
  store.dispatch(loggedOut());
  expect(selectSubscriber(store.getState()).loading).toBe(false);
});

test('a shopper who ticked the newsletter box at sign-up is subscribed', async () => {
  const asked = answerCalls(() => ({ status: 201, data: { message: 'Thank you' } }));
  const store = createStore({ api, navigate: () => {} });
  store.dispatch(newsletterOptedIn(ananya.email));
  await expect.poll(() => selectSubscriber(store.getState()).successMessage).toBe('Thank you');
  expect(asked).toMatchObject([{ url: '/subscribe', body: { email: ananya.email } }]);
});
