import { create } from 'axios';
import { expect, test } from 'vitest';
import { optionsCame, selectAuthScreen } from '../features/auth/auth-screen-slice.ts';
import { loggedIn, loggedOut } from '../features/auth/auth-slice.ts';
import { contentLoaded, selectContent } from '../features/content/content-slice.ts';
import { siteContent } from '../features/content/site-content.ts';
import { createStore } from './store.ts';

const ananya = { _id: 'u1', name: 'Ananya', email: 'ananya@example.com', phone: '98200', isAdmin: true, isAuditor: true };

test('whoever leaves takes all that was theirs along, and the words of the shop stay', () => {
  const store = createStore({ api: create(), navigate: () => {} });
  store.dispatch(contentLoaded(siteContent));
  store.dispatch(loggedIn(ananya));
  expect(JSON.stringify(store.getState())).toContain('ananya@example.com');
  store.dispatch(loggedOut());
  expect(JSON.stringify(store.getState())).not.toContain('ananya@example.com');
  expect(selectContent(store.getState())).toEqual(siteContent);
});

test('a feature that is not named as the same for everybody begins anew when somebody leaves', () => {
  const store = createStore({ api: create(), navigate: () => {} });
  store.dispatch(optionsCame({ googleClientId: 'ruhani' }));
  store.dispatch(loggedOut());
  expect(selectAuthScreen(store.getState()).options).toBe('unknown');
});
