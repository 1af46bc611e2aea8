import { build } from './build.js';
import { chromium } from './chromium.js';

/** For the tests that run the built shop, and of them for those that need a browser: CHROMIUM is its program. */
export default async function setUp({ name }) {
  await build('web', 'server');
  if (name === 'browser') process.env.CHROMIUM = await chromium();
}
