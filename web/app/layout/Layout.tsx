import { WifiOff } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Outlet, useLocation } from 'react-router-dom';
import { errorDismissed, selectAuth } from '../../features/auth/auth-slice.ts';
import { CartNotices } from '../../features/cart/CartNotices.tsx';
import { contentRequested, selectContent, selectContentFailed } from '../../features/content/content-slice.ts';
import { selectHasPlacingNews } from '../../features/orders/placing-news.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Toast } from '../../ui/overlay/Toast.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { cx } from '../../ui/cx.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { InfoBanner } from './InfoBanner.tsx';
import { useOpenOnPage } from './use-open-on-page.ts';

/** With banner and header this height fills the first screen, even while a page is empty, so that the footer never moves while in view. */
const MIN_HEIGHT = 'min-h-[calc(100svh-6.25rem)] md:min-h-[calc(100svh-7.25rem)]';
const DESK_HEIGHT = 'min-h-[calc(100svh-5.75rem)]';

export const Layout = () => {
  const content = useSelector(selectContent);
  const [menuOpen, setMenuOpen] = useOpenOnPage();
  const main = useFocusOnNavigation();
  const isDesk = useLocation().pathname.startsWith('/admin/');
  return (
    <div className={cx(isDesk && 'lg:[--spacing-gutter:1.75rem]')}>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-4 focus:left-4 focus:z-50 focus:bg-white focus:px-4 focus:py-3"
      >
        Skip to content
      </a>
      <InfoBanner isLow={isDesk} />
      <Header ready={content !== null} isLow={isDesk} menuOpen={menuOpen} onMenuChange={setMenuOpen} />
      <main id="main" ref={main} tabIndex={-1} className={cx(isDesk ? DESK_HEIGHT : MIN_HEIGHT, 'outline-none')}>
        <div inert={menuOpen}>
          <ContentNotice />
          <Outlet />
        </div>
      </main>
      <div inert={menuOpen}>{content && <Footer content={content.footer} />}</div>
      <CartNotices />
      <OfflineNotice />
      <LogoutNotice />
      <OrderNotice />
    </div>
  );
};

const ContentNotice = () => {
  const dispatch = useDispatch();
  if (!useSelector(selectContentFailed)) return null;
  return (
    <div className="page-x pt-6">
      <Alert action={<TextButton onClick={() => dispatch(contentRequested())}>Try again</TextButton>}>
        Part of this page could not be loaded. Check your connection.
      </Alert>
    </div>
  );
};

/** Moves the focus to `<main>` after a navigation, so that screen readers start there. On the first page the browser decides. */
const useFocusOnNavigation = () => {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
};

const subscribe = (onChange: () => void): (() => void) => {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
};

/** The live region is always in the document, so that a screen reader announces the text when it appears. */
const OfflineNotice = () => {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status" className="sticky bottom-0 z-20">
      {!online && (
        <p className="on-dark page-x flex min-h-11 items-center justify-center gap-2.5 bg-umber py-2 text-[0.875rem] text-mist sm:text-center">
          <WifiOff className="size-4" strokeWidth={1.5} />
          You are offline. What you see may be old; the shop goes on as soon as you are back.
        </p>
      )}
    </div>
  );
};

const PlacingNotice = lazy(async () => ({ default: (await import('../../features/orders/PlacingNotice.tsx')).PlacingNotice }));

const OrderNotice = () =>
  useSelector(selectHasPlacingNews) && (
    <Suspense>
      <PlacingNotice />
    </Suspense>
  );

/** Stays until it is closed, because the shopper must know that a failed logout leaves them signed in. */
const LogoutNotice = () => {
  const dispatch = useDispatch();
  const { user, error } = useSelector(selectAuth);
  const close = useCallback(() => dispatch(errorDismissed()), [dispatch]);
  return user && error !== null && <Toast kind="failure" stays message={error} onClose={close} />;
};
