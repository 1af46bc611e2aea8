import { createHmac, timingSafeEqual } from 'node:crypto';

import { pages } from '#domain/site/pages.ts';

import type { SealedRows } from '../event-store/encryption/sealed-rows.ts';
import type { EmailAddress } from '../platform/email-address.ts';
import type { Outbox } from '../mail/outbox.ts';
import { welcomeMail } from '../mail/templates/newsletter-mails.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { activate, deactivate, noteWelcome } from './subscribers.ts';

const FORM = /^(\d{1,18})\.([\w-]{43})$/;

/**
 * A link contains the subscription's number instead of the address, and a signature, so that nobody can guess other links. It is valid
 * until SESSION_SECRET changes; for an invalid link the page asks for the address.
 */
const unsubscribeLinks = ({ key, publicUrl }: { readonly key: Buffer; readonly publicUrl: string }) => {
  const sign = (id: string): Buffer => createHmac('sha256', key).update(id).digest();
  return {
    to: (id: string): string => `${publicUrl}${pages.unsubscribe}?token=${id}.${sign(id).toString('base64url')}`,
    read: (token: string): string | undefined => {
      const [, id = '', signature = ''] = FORM.exec(token) ?? [];
      const given = Buffer.from(signature, 'base64url');
      const right = sign(id);
      return given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
    },
  };
};

/** Confirmations to an address are this many ms apart, because strangers could flood it with mails. */
const WELCOMED_EVERY = 24 * 3_600_000;

type Parts = {
  readonly db: ShopDatabase;
  readonly sealed: SealedRows;
  readonly outbox: Outbox;
  readonly now: () => Date;
  readonly key: Buffer;
  readonly publicUrl: string;
  readonly onChange: () => void;
};

export const createNewsletter = ({ db, sealed, outbox, now, key, publicUrl, onChange }: Parts) => {
  const links = unsubscribeLinks({ key, publicUrl });
  return {
    /** Returns false when already subscribed. Otherwise a confirmation is sent, at most once a day. */
    subscribe: async (email: EmailAddress): Promise<boolean> => {
      const at = now();
      const subscriber = await sealed.sealByAddress('subscribers', { email });
      const joined = await db.transaction().execute(async (tx) => {
        const subscription = await activate(tx, subscriber, at);
        if (!subscription) return false;
        const { id, welcomedAt } = subscription;
        // The row is locked until the commit, against concurrent subscriptions.
        if (welcomedAt && at.getTime() - welcomedAt.getTime() < WELCOMED_EVERY) return true;
        await noteWelcome(tx, id, at);
        await outbox.put(tx, `subscribed:${id}:${at.toISOString()}`, welcomeMail(email, links.to(id)));
        return true;
      });
      if (joined) {
        outbox.wake();
        onChange();
      }
      return joined;
    },
    unsubscribe: async (email: EmailAddress): Promise<void> => {
      await deactivate({ db, sealed }, { email });
      onChange();
    },
    /** Returns false when the mailed token is invalid. */
    leave: async (token: string): Promise<boolean> => {
      const id = links.read(token);
      if (id === undefined) return false;
      await deactivate({ db, sealed }, { id });
      onChange();
      return true;
    },
  };
};

export type Newsletter = Readonly<ReturnType<typeof createNewsletter>>;
