import { renderToString } from 'react-dom/server';
import { parsePath, StaticRouter } from 'react-router-dom';
import type { HeroVariant } from '#domain/site/pictures.ts';
import { preloadScreen } from './app/preload-screen.ts';
import { createNavigator } from './app/navigator.tsx';
import { ShopRoot } from './app/ShopRoot.tsx';
import { createServerStore } from './app/store.ts';
import { catalogueApi } from './features/catalogue/catalogue-api.ts';
import { FirstAnswers, type FirstAnswer } from './lib/http/first-answers.ts';

/**
 * Renders the first screen at an address, such as `/shop?collection=Oud`, to HTML, which is the same for every visitor and is hydrated by
 * the browser. `answers` holds the answers to the page's first calls by name; `hero` is the configured variant, if any. The server loads
 * this function from the build.
 */
export const renderScreen = async (
  address: string,
  answers: Readonly<Record<string, FirstAnswer>>,
  hero?: HeroVariant,
): Promise<string> => {
  const store = createServerStore(new FirstAnswers(answers));
  const { pathname = '/', search = '' } = parsePath(address);
  try {
    await preloadScreen(store, { pathname, search }, hero);
    return renderToString(
      <ShopRoot store={store} navigator={createNavigator()} router={(pages) => <StaticRouter location={address}>{pages}</StaticRouter>} />,
    );
  } finally {
    // RTK Query would keep the cached answers for a minute.
    store.dispatch(catalogueApi.util.resetApiState());
  }
};
