import { put, takeLeading } from 'redux-saga/effects';
import { run } from '../../lib/saga.ts';
import { contentLoaded, contentFailed, contentRequested } from './content-slice.ts';
import type { SiteContent } from './site-content-types.ts';

/** A part of the client, but not of its first script: words and addresses are data, and come beside it. */
const fromBuild = async (): Promise<SiteContent> => (await import('./site-content.ts')).siteContent;

function* loadContent(load: () => Promise<SiteContent>) {
  try {
    yield put(contentLoaded(yield* run(load)));
  } catch {
    // The file did not come: the network is gone, or a new version of the shop replaced it. The page offers to try again.
    yield put(contentFailed());
  }
}

export function* contentSaga(load = fromBuild) {
  yield takeLeading(contentRequested, loadContent, load);
  yield put(contentRequested());
}
