import { createHmac, timingSafeEqual } from 'node:crypto';

import { pages } from '#domain/pages.ts';

const FORM = /^(\d{1,18})\.([\w-]{43})$/;

/**
 * Links by which a reader leaves. They name the subscription by number, never the address, and are signed, so that nobody leaves for
 * somebody else by counting. Good for as long as SESSION_SECRET stays; the page asks for the address when one is not.
 */
export const unsubscribeLinks = ({ key, publicUrl }: { readonly key: Buffer; readonly publicUrl: string }) => {
  const sign = (id: string): Buffer => createHmac('sha256', key).update(id).digest();
  return {
    to: (id: string): string => `${publicUrl}${pages.unsubscribe}?token=${id}.${sign(id).toString('base64url')}`,
    /** The subscription of a token that we made. */
    read: (token: string): string | undefined => {
      const [, id = '', signature = ''] = FORM.exec(token) ?? [];
      const given = Buffer.from(signature, 'base64url');
      const right = sign(id);
      return given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
    },
  };
};
