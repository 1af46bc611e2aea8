import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { contentMissed } from '../features/content/content-slice.ts';
import { mediaThatHold } from '../testing/in-view.ts';
import { renderShop } from '../testing/shop.tsx';
import { Layout } from './layout/Layout.tsx';
import { RouteErrorPage } from './RouteErrorPage.tsx';
import { routes } from './routes.tsx';

beforeEach(() => mediaThatHold('(min-width: 48rem)'));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const Broken = () => {
  throw new Error('broken');
};

describe('an address of the shop', () => {
  test('that leads nowhere shows the not-found page between header and footer', async () => {
    renderShop(routes, '/nowhere');
    expect(await screen.findByRole('heading', { level: 1, name: 'Oops! Page Not Found' })).toBeInstanceOf(HTMLElement);
    expect(screen.getByText('404')).toBeInstanceOf(HTMLElement);
    expect(screen.getByText("The page you're looking for doesn't exist or may have been moved.")).toBeInstanceOf(HTMLElement);
    expect(screen.getByRole('link', { name: 'Go Back Home' }).getAttribute('href')).toBe('/');
    expect(screen.getByRole('contentinfo')).toBeInstanceOf(HTMLElement);
    expect(document.title).toBe('Page Not Found · RUHANI');
  });

  test.each([
    ['/about', 'About Us'],
    ['/reviews', 'Reviews'],
    ['/return-policy', 'Return Policy'],
    ['/privacy-policy', 'Privacy Policy'],
    ['/terms', 'Terms & Conditions'],
  ])('%s is %s', async (path, title) => {
    renderShop(routes, path);
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInstanceOf(HTMLElement);
  });

  test('whose page breaks shows the error screen, and the header stands', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    renderShop([{ Component: Layout, children: [{ ErrorBoundary: RouteErrorPage, children: [{ path: '*', Component: Broken }] }] }]);
    expect(await screen.findByRole('heading', { name: 'Something went wrong' })).toBeInstanceOf(HTMLElement);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInstanceOf(HTMLElement);
    expect(screen.getByRole('banner')).toBeInstanceOf(HTMLElement);
  });
});

describe('the frame of every page', () => {
  test('has the columns of the footer', () => {
    renderShop(routes, '/nowhere');
    const addresses = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(addresses).toEqual(
      expect.arrayContaining(['/shop', '/shop?collection=Attar', '/viewAllOrders', '/return-policy', 'mailto:care@ruhani.example']),
    );
    expect(addresses).not.toContain('/admin/site-manager');
  });

  test('says so when a part of it did not come', async () => {
    const { store } = renderShop(routes, '/nowhere');
    store.dispatch(contentMissed());
    expect(await screen.findByRole('alert')).toBeInstanceOf(HTMLElement);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInstanceOf(HTMLElement);
  });
});
