import { screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import { contentFailed } from '../features/content/content-slice.ts';
import { mediaThatHold } from '../testing/in-view.ts';
import { renderPart } from '../testing/shop.tsx';
import { Layout } from './layout/Layout.tsx';
import { PageErrorBoundary } from './PageErrorBoundary.tsx';
import { AppRoutes } from './routes.tsx';
import { firstPageReady } from '../lib/first-page-ready.ts';

beforeEach(() => mediaThatHold('(min-width: 48rem)'));

const Broken = () => {
  throw new Error('broken');
};

test('firstPageReady resolves even when the first page throws', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  renderPart(
    <PageErrorBoundary>
      <Broken />
    </PageErrorBoundary>,
  );
  await expect(firstPageReady).resolves.toBeUndefined();
});

test('a URL of the shop shows the not-found page between header and footer when it is unknown', async () => {
  renderPart(<AppRoutes />, '/nowhere');
  expect(await screen.findByRole('heading', { level: 1, name: 'Oops! Page Not Found' })).toBeInstanceOf(HTMLElement);
  expect(screen.getByText('404')).toBeInstanceOf(HTMLElement);
  expect(screen.getByText("The page you're looking for doesn't exist or may have been moved.")).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('link', { name: 'Go Back Home' }).getAttribute('href')).toBe('/');
  expect(screen.getByRole('contentinfo')).toBeInstanceOf(HTMLElement);
  await expect.poll(() => document.title).toBe('Page Not Found · RUHANI');
});

test.each([
  ['/about', 'About Us'],
  ['/contact', 'Get in Touch'],
  ['/unsubscribe', 'Leave the letters'],
  ['/notices/end/token', 'No more notices'],
  ['/find-order', 'Find your order'],
  ['/reviews', 'Reviews'],
  ['/return-policy', 'Return Policy'],
  ['/privacy-policy', 'Privacy Policy'],
  ['/terms', 'Terms & Conditions'],
])('a URL of the shop %s opens the page "%s"', async (path, title) => {
  renderPart(<AppRoutes />, path);
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInstanceOf(HTMLElement);
});

test('a URL of the shop shows its page when the hash is invalid', async () => {
  renderPart(<AppRoutes />, '/about#%');
  expect(await screen.findByRole('heading', { level: 1, name: 'About Us' })).toBeInstanceOf(HTMLElement);
});

test('a URL of the shop shows the error screen below the header when its page throws', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  renderPart(
    <Routes>
      <Route element={<Layout />}>
        <Route
          path="*"
          element={
            <PageErrorBoundary>
              <Broken />
            </PageErrorBoundary>
          }
        />
      </Route>
    </Routes>,
  );
  expect(await screen.findByRole('heading', { name: 'Something went wrong' })).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('button', { name: 'Try again' })).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('banner')).toBeInstanceOf(HTMLElement);
});

const frameLinks = {
  banner: { 'RUHANI, home': '/', HOME: '/', SHOP: '/shop', ABOUT: '/about', CONTACT: '/contact', Cart: '/cart', 'Sign in': '/signin' },
  contentinfo: {
    'Facebook (opens in a new tab)': 'https://www.facebook.com/',
    'Instagram (opens in a new tab)': 'https://www.instagram.com/',
    'Twitter (opens in a new tab)': 'https://twitter.com/',
    'All Products': '/shop',
    Oud: '/shop?collection=Oud',
    Floral: '/shop?collection=Floral',
    Fresh: '/shop?collection=Fresh',
    Musk: '/shop?collection=Musk',
    Attar: '/shop?collection=Attar',
    'View All Orders': '/viewAllOrders',
    'About Us': '/about',
    'Contact Us': '/contact',
    'Shipping & Returns': '/return-policy',
    'Privacy Policy': '/privacy-policy',
    'Terms & Conditions': '/terms',
    'Find your order': '/find-order',
    '+91 5694 555 014': 'tel:+915694555014',
    'care@ruhani.example': 'mailto:care@ruhani.example',
  },
};

test.each(['banner', 'contentinfo'] as const)('the layout of every page has links in its %s that lead where they say', (part) => {
  renderPart(<AppRoutes />, '/nowhere');
  const links = within(screen.getByRole(part)).getAllByRole<HTMLAnchorElement>('link');
  const addresses = links.map((link) => [link.getAttribute('aria-label') ?? link.textContent, link.getAttribute('href')]);
  expect(Object.fromEntries(addresses)).toEqual(frameLinks[part]);
});

test('the layout of every page shows an error when a chunk fails to load', async () => {
  const { store } = renderPart(<AppRoutes />, '/nowhere');
  store.dispatch(contentFailed());
  expect(await screen.findByRole('alert')).toBeInstanceOf(HTMLElement);
  expect(screen.getByRole('button', { name: 'Try again' })).toBeInstanceOf(HTMLElement);
});
