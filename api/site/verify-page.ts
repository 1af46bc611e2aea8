import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { ReceiptPolicy } from '#domain/receipt/receipt.ts';

import { Packed, type Document } from './documents.ts';

/** The build of `web` writes the page's own policy into it, which allows its script and styles, and nothing from elsewhere. */
const CONTENT_POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/;
const KEYS = /(<script type="application\/json" id="policy">)[^<]*/;

/** The page that verifies receipts, with the content security policy that it needs instead of the shop's. */
export type VerifyPage = { readonly document: Document; readonly contentPolicy: string };

/**
 * Returns a function that gives the page, with the keys of the log and its witnesses in it as they are now. Returns undefined without a
 * build. Throws when the page does not come from the build of `web`.
 */
export const openVerifyPage = async (
  directory: string,
  readPolicy: () => Promise<ReceiptPolicy>,
): Promise<(() => Promise<VerifyPage>) | undefined> => {
  const file = path.join(directory, '.vite/verify/verify.html');
  if (!existsSync(file)) return undefined;
  const html = await readFile(file, 'utf8');
  const [, policy] = CONTENT_POLICY.exec(html) ?? [];
  if (policy === undefined || !KEYS.test(html)) throw new Error(`${file} is not the page that the build of web makes`);
  const contentPolicy = `${policy}; frame-ancestors 'none'`;
  let last: { readonly keys: string; readonly page: VerifyPage } | undefined;
  return async () => {
    // A tag's beginning would end the element.
    const keys = JSON.stringify(await readPolicy()).replaceAll('<', '\\u003c');
    if (last?.keys !== keys) {
      const content = new Packed(html.replace(KEYS, (_, tag: string) => tag + keys));
      last = { keys, page: { document: { status: 200, type: 'html', content }, contentPolicy } };
    }
    return last.page;
  };
};
