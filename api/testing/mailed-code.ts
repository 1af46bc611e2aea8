import { setTimeout as pause } from 'node:timers/promises';

import { browser } from '../accounts/testing/browser.ts';
import type { TestShop } from './test-shop.ts';

/** Waits for the mail and returns its code. */
export const mailedCode = async ({ url }: Pick<TestShop, 'url'>, email: string): Promise<string> => {
  for (;;) {
    const { body } = await browser(url).get('/dev/mailbox/messages');
    const mail = (body as { to: string; subject: string }[]).find(({ to, subject }) => to === email && /^\d{6} /.test(subject));
    if (mail) return mail.subject.slice(0, 6);
    await pause(20);
  }
};
