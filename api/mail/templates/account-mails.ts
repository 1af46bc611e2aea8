import type { Mail } from '../mail.ts';
import { html } from './mail-html.ts';
import { button, MAIL_COLOURS, layout, paragraph, SERIF } from './layout.ts';

const CODE_FOOT =
  'If you did not ask for this code, somebody mistyped an address: you need not do anything. Nobody of ours will ever ask you for it.';
const RESET_FOOT = 'If you did not ask for this, you need not do anything: your password stays as it is.';

/** The mail contains no name: otherwise strangers could write to an address by registering it. */
export const codeMail = (to: string, code: string): Mail => ({
  to,
  subject: `${code} is your Ruhani code`,
  text: `Your code is ${code}.\n\nEnter it on the page where you signed up. It is good for 10 minutes.\n\n${CODE_FOOT}\n\nRUHANI\n`,
  html: layout({
    title: 'Verify your address',
    body: [
      paragraph('Enter this code on the page where you signed up. It is good for 10 minutes.'),
      html`<p style="margin:24px 0;font-family:${SERIF};font-size:40px;letter-spacing:0.2em;color:${MAIL_COLOURS.ink}">${code}</p>`,
    ],
    foot: CODE_FOOT,
  }),
});

/** The link is valid for half an hour and one use. */
export const passwordResetMail = (to: string, link: string): Mail => ({
  to,
  subject: 'Set a new password for Ruhani',
  text: `You can set a new password here:\n\n${link}\n\nThe link is good for 30 minutes, and once.\n\n${RESET_FOOT}\n\nRUHANI\n`,
  html: layout({
    title: 'Set a new password',
    body: [paragraph('The link is good for 30 minutes, and once.'), button('Set a new password', link)],
    foot: RESET_FOOT,
  }),
});

const NOT_YOU = 'If that was not you, set a new password now: ask for it on the page where you sign in, and write to us.';

/** Tells the owner of an account about a change that an intruder could have made. */
const noticeMail = (to: string, title: string, sentence: string): Mail => ({
  to,
  subject: `${title}: your Ruhani account`,
  text: `${sentence}\n\n${NOT_YOU}\n\nRUHANI\n`,
  html: layout({ title, body: [paragraph(sentence)], foot: NOT_YOU }),
});

export const identityLinkedMail = (to: string): Mail =>
  noticeMail(to, 'Google sign-in joined', 'From now on your account also opens with the Google account of this address.');

export const passwordChangedMail = (to: string): Mail =>
  noticeMail(to, 'Password changed', 'The password of your account was changed, and every device was signed out.');
