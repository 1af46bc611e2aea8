import { put, takeLeading } from 'redux-saga/effects';
import { run } from '../../lib/saga.ts';
import { contentLoaded, contentFailed, contentRequested } from './content-slice.ts';
import { configuredHero, loadSiteContent } from './load-content.ts';
import type { SiteContent } from './site-content-types.ts';

const fromBuild = (): Promise<SiteContent> => loadSiteContent(configuredHero());

function* loadContent(load: () => Promise<SiteContent>) {
  try {
    yield put(contentLoaded(yield* run(load)));
  } catch {
    // The chunk failed to load, because the browser is offline or a new release replaced it. The page offers a retry.
    yield put(contentFailed());
  }
}

export function* contentSaga(load = fromBuild) {
  yield takeLeading(contentRequested, loadContent, load);
  yield put(contentRequested());
}
