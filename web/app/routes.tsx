import { lazy, Suspense, useEffect, type ComponentType } from 'react';
import { matchPath, Outlet, Route, Routes } from 'react-router-dom';
import { trackLoading } from './coming-screen.ts';
import { Layout } from './layout/Layout.tsx';
import { PageErrorBoundary } from './PageErrorBoundary.tsx';
import type { Screen } from './screen.ts';
import { inject } from './reducer.ts';
import { ScrollRestoration } from './ScrollRestoration.tsx';
import { announceFirstPageReady } from '../lib/first-page-ready.ts';

/** The chunk loads on the first visit. Routes with the same `lazy` function are one screen, which keeps its state between them. */
export type LazyRoute = { readonly path: string; readonly lazy: () => Promise<Screen> };

/** A screen that needs no data for its first render. */
const page = (component: () => Promise<ComponentType>) => async (): Promise<Screen> => ({ Component: await component() });

const authPage = page(async () => (await import('../features/auth/AuthPage.tsx')).AuthPage);

const withOrders = (component: () => Promise<ComponentType>) => async (): Promise<Screen> => {
  const [Component, { orders }] = await Promise.all([component(), import('./screens/order-saga-wiring.ts')]);
  return { Component, ...orders };
};

export const lazyRoutes: readonly LazyRoute[] = [
  { path: '/', lazy: async () => (await import('./screens/HomePage.tsx')).homeScreen },
  { path: 'shop', lazy: async () => (await import('./screens/shop-screen.tsx')).shopScreen },
  { path: 'product/:productId', lazy: async () => (await import('./screens/product-screen.tsx')).productScreen },
  { path: 'cart', lazy: async () => (await import('./screens/cart-screen.tsx')).cartScreen },
  { path: 'checkout', lazy: withOrders(async () => (await import('./screens/CheckoutScreen.tsx')).CheckoutScreen) },
  {
    path: 'review-order/:id',
    lazy: withOrders(async () => (await import('../features/orders/review/ReviewOrderPage.tsx')).ReviewOrderPage),
  },
  { path: 'order-confirmed/:id', lazy: withOrders(async () => (await import('./screens/OrderDetailsScreen.tsx')).OrderDetailsScreen) },
  { path: 'invoice/:id', lazy: page(async () => (await import('../features/orders/invoice/InvoicePage.tsx')).InvoicePage) },
  { path: 'order/:token', lazy: page(async () => (await import('../features/orders/guest/OpenOrderPage.tsx')).OpenOrderPage) },
  { path: 'find-order', lazy: page(async () => (await import('./screens/FindOrderScreen.tsx')).FindOrderScreen) },
  { path: 'viewAllOrders', lazy: withOrders(async () => (await import('./screens/MyOrdersScreen.tsx')).MyOrdersScreen) },
  { path: 'account', lazy: page(async () => (await import('./screens/AccountScreen.tsx')).AccountScreen) },
  { path: 'about', lazy: page(async () => (await import('../features/content/AboutPage.tsx')).AboutPage) },
  { path: 'contact', lazy: async () => (await import('./screens/contact-screen.tsx')).contactScreen },
  { path: 'reviews', lazy: page(async () => (await import('../features/content/ReviewsPage.tsx')).ReviewsPage) },
  { path: 'return-policy', lazy: page(async () => (await import('../features/content/policies/ReturnPolicyPage.tsx')).ReturnPolicyPage) },
  {
    path: 'privacy-policy',
    lazy: page(async () => (await import('../features/content/policies/PrivacyPolicyPage.tsx')).PrivacyPolicyPage),
  },
  { path: 'terms', lazy: page(async () => (await import('../features/content/policies/TermsPage.tsx')).TermsPage) },
  { path: 'unsubscribe', lazy: page(async () => (await import('../features/newsletter/UnsubscribePage.tsx')).UnsubscribePage) },
  { path: 'notices/end/:token', lazy: page(async () => (await import('../features/notices/EndNoticesPage.tsx')).EndNoticesPage) },
  { path: 'audit', lazy: page(async () => (await import('./screens/AuditScreen.tsx')).AuditScreen) },
  { path: 'signin', lazy: authPage },
  { path: 'signup', lazy: authPage },
  { path: 'forgot-password', lazy: page(async () => (await import('../features/auth/ForgotPasswordPage.tsx')).ForgotPasswordPage) },
  { path: 'reset-password', lazy: page(async () => (await import('../features/auth/ResetPasswordPage.tsx')).ResetPasswordPage) },
  { path: 'take-back-email', lazy: page(async () => (await import('./screens/TakeBackEmailScreen.tsx')).TakeBackEmailScreen) },
  { path: 'invitation', lazy: page(async () => (await import('../features/auth/InvitationPage.tsx')).InvitationPage) },
  { path: 'admin/site-manager', lazy: async () => (await import('./screens/SiteManagerScreen.tsx')).siteManagerScreen },
];

const loadScreen = async ({ lazy: load }: LazyRoute): Promise<Screen> => {
  const screen = await load();
  inject(screen);
  return screen;
};

/** Components whose chunk was loaded before the first render are rendered directly, without a Suspense fallback. */
const preloadedComponents = new Map<LazyRoute['lazy'], ComponentType>();

/** Loads the chunk of a path's screen before the first render. It rejects when the chunk fails to load. */
export const preloadRoute = async (path: string): Promise<Screen | undefined> => {
  const route = lazyRoutes.find((each) => matchPath(each.path, path));
  if (!route) return undefined;
  const screen = await loadScreen(route);
  preloadedComponents.set(route.lazy, screen.Component);
  return screen;
};

const listPaths = ({ lazy: load }: LazyRoute): readonly string[] =>
  lazyRoutes.filter((route) => route.lazy === load).map(({ path }) => path);

const screens = new Map(
  lazyRoutes.map((route) => [
    route.lazy,
    lazy(async () => ({ default: (await trackLoading(listPaths(route), loadScreen(route))).Component })),
  ]),
);

const NotFound = lazy(async () => ({ default: (await import('./screens/NotFoundPage.tsx')).NotFoundPage }));

const OnFirstPageReady = () => {
  useEffect(announceFirstPageReady, []);
  return null;
};

/** `ScrollRestoration` is inside Suspense, so that it looks for the position in the page and not in its fallback. */
const Frame = () => (
  <PageErrorBoundary>
    <Suspense>
      <Outlet />
      <ScrollRestoration />
      <OnFirstPageReady />
    </Suspense>
  </PageErrorBoundary>
);

/** All routes are children of the layout, so header and footer stay when a page fails. */
export const AppRoutes = () => (
  <Routes>
    <Route
      element={
        <PageErrorBoundary>
          <Layout />
        </PageErrorBoundary>
      }
    >
      <Route element={<Frame />}>
        {lazyRoutes.map(({ path, lazy: load }) => {
          const Screen = preloadedComponents.get(load) ?? screens.get(load);
          return Screen && <Route key={path} path={path} element={<Screen />} />;
        })}
        <Route path="*" element={<NotFound />} />
      </Route>
    </Route>
  </Routes>
);
