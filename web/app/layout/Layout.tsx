import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Outlet, useLocation } from 'react-router-dom';
import { contentRequested, selectContent, selectContentFailed } from '../../features/content/content-slice.ts';
import { CartNotices } from '../../features/cart/CartNotices.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { cx } from '../../ui/cx.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { InfoBanner } from './InfoBanner.tsx';
import { LogoutNotice } from './LogoutNotice.tsx';
import { OfflineNotice } from './OfflineNotice.tsx';
import { useOpenOnPage } from './use-open-on-page.ts';

/** With banner and header the first window, however little a page has and while it has nothing yet: the footer waits below it, and never moves in sight. */
const ROOM = 'min-h-[calc(100svh-6.25rem)] md:min-h-[calc(100svh-7.25rem)]';

/** What stands around every page. */
export const Layout = () => {
  const content = useSelector(selectContent);
  const [menuOpen, setMenuOpen] = useOpenOnPage();
  const main = useFocusOnNavigation();
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-4 focus:left-4 focus:z-50 focus:bg-white focus:px-4 focus:py-3"
      >
        Skip to content
      </a>
      <InfoBanner />
      <Header ready={content !== null} menuOpen={menuOpen} onMenuChange={setMenuOpen} />
      <main id="main" ref={main} tabIndex={-1} className={cx(ROOM, 'outline-none')}>
        <div inert={menuOpen}>
          <ContentNotice />
          <Outlet />
        </div>
      </main>
      <div inert={menuOpen}>{content && <Footer content={content.footer} />}</div>
      <CartNotices />
      <OfflineNotice />
      <LogoutNotice />
    </>
  );
};

/** Words of the shop did not come: says so, and offers to fetch them again. */
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

/** A new page begins at its main part, also for those who hear it; the first page begins where the browser begins. */
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
