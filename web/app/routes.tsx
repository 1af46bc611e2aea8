import { createBrowserRouter, Outlet, ScrollRestoration, type RouteObject } from 'react-router-dom';
import { Layout } from './layout/Layout.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { RouteErrorPage } from './RouteErrorPage.tsx';

/** Where a page will stand whose script is still under way: keeps the footer out of sight, so that nothing jumps. */
const PageComing = () => <div className="min-h-svh" />;

/** With the page and not with the layout: the place to scroll to is sought once, and in what only keeps the page's room it is not there. */
const Page = () => (
  <>
    <Outlet />
    <ScrollRestoration />
  </>
);

const pages: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('./home/HomePage.tsx')).HomePage }) },
  { path: 'shop', lazy: async () => ({ Component: (await import('../features/catalogue/ShopPage.tsx')).ShopPage }) },
  { path: 'product/:productId', lazy: async () => ({ Component: (await import('../features/catalogue/ProductPage.tsx')).ProductPage }) },
  { path: 'about', lazy: async () => ({ Component: (await import('../features/content/AboutPage.tsx')).AboutPage }) },
  { path: 'reviews', lazy: async () => ({ Component: (await import('../features/content/ReviewsPage.tsx')).ReviewsPage }) },
  {
    path: 'return-policy',
    lazy: async () => ({ Component: (await import('../features/content/policies/ReturnPolicyPage.tsx')).ReturnPolicyPage }),
  },
  {
    path: 'privacy-policy',
    lazy: async () => ({ Component: (await import('../features/content/policies/PrivacyPolicyPage.tsx')).PrivacyPolicyPage }),
  },
  { path: 'terms', lazy: async () => ({ Component: (await import('../features/content/policies/TermsPage.tsx')).TermsPage }) },
  ...['signin', 'signup'].map((path) => ({
    path,
    lazy: async () => ({ Component: (await import('../features/auth/AuthPage.tsx')).AuthPage }),
  })),
  {
    path: 'forgot-password',
    lazy: async () => ({ Component: (await import('../features/auth/ForgotPasswordPage.tsx')).ForgotPasswordPage }),
  },
  { path: 'reset-password', lazy: async () => ({ Component: (await import('../features/auth/ResetPasswordPage.tsx')).ResetPasswordPage }) },
  { path: '*', Component: NotFoundPage },
];

/** All routes lie under the layout; a page that fails leaves header and footer standing. */
export const routes: RouteObject[] = [
  {
    Component: Layout,
    ErrorBoundary: RouteErrorPage,
    children: [{ Component: Page, ErrorBoundary: RouteErrorPage, HydrateFallback: PageComing, children: pages }],
  },
];

export const createRouter = () => createBrowserRouter(routes);
