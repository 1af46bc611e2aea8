import { createHmac, timingSafeEqual } from 'node:crypto';

import { pages } from '#domain/site/paths.ts';

const FORM = /^(\d{1,18})\.([\w-]{43})$/;

/**
 * Unsubscribe links. They contain the subscription's number, never the address, and a signature, so that counting up does not unsubscribe
 * others. Valid while SESSION_SECRET stays; the page asks for the address when one is invalid.
 */
export const unsubscribeLinks = ({ key, publicUrl }: { readonly key: Buffer; readonly publicUrl: string }) => {
  const sign = (id: string): Buffer => createHmac('sha256', key).update(id).digest();
  return {
    to: (id: string): string => `${publicUrl}${pages.unsubscribe}?token=${id}.${sign(id).toString('base64url')}`,
    /** The subscription of a valid token. */
    read: (token: string): string | undefined => {
      const [, id = '', signature = ''] = FORM.exec(token) ?? [];
      const given = Buffer.from(signature, 'base64url');
      const right = sign(id);
      return given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
    },
  };
};
