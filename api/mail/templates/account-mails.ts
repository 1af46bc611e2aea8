import type { Mail } from '../mail.ts';
import { html } from './mail-html.ts';
import { button, MAIL_COLOURS, layout, paragraph, SERIF } from './layout.ts';

const CODE_FOOT =
  'If you did not ask for this code, somebody mistyped an address: you need not do anything. Nobody of ours will ever ask you for it.';
const RESET_FOOT = 'If you did not ask for this, you need not do anything: your password stays as it is.';

/** The mail contains no name: otherwise strangers could write to an address by registering it. */
export const codeMail = (to: string, code: string, page: 'where you signed up' | 'of your account' = 'where you signed up'): Mail => ({
  to,
  subject: `${code} is your Ruhani code`,
  text: `Your code is ${code}.\n\nEnter it on the page ${page}. It is good for 10 minutes.\n\n${CODE_FOOT}\n\nRUHANI\n`,
  html: layout({
    title: 'Verify your address',
    body: [
      paragraph(`Enter this code on the page ${page}. It is good for 10 minutes.`),
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

const INVITED_FOOT = 'If you do not work for this shop, you need not do anything: without the link nobody gets in.';
const INVITED_TERM = 'The link is good for 72 hours, and once.';

/** `duties` are the titles of the invited person's roles. */
export const invitationMail = (to: string, duties: readonly string[], link: string): Mail => {
  const sentence = `You are invited to help run the Ruhani shop: ${duties.join(', ')}.`;
  return {
    to,
    subject: 'You are invited to the staff of Ruhani',
    text: `${sentence}\n\nAccept here:\n\n${link}\n\n${INVITED_TERM}\n\n${INVITED_FOOT}\n\nRUHANI\n`,
    html: layout({
      title: 'Join the staff',
      body: [paragraph(sentence), paragraph(INVITED_TERM), button('Accept the invitation', link)],
      foot: INVITED_FOOT,
    }),
  };
};

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

export const passwordChangedMail = (to: string, devices: 'every device' | 'every other device'): Mail =>
  noticeMail(to, 'Password changed', `The password of your account was changed, and ${devices} was signed out.`);

export const secondFactorMail = (to: string, isOn: boolean): Mail =>
  isOn
    ? noticeMail(to, 'Second factor on', 'From now on your account asks for a code from your telephone when you sign in.')
    : noticeMail(to, 'Second factor off', 'Your account does not ask for a code from your telephone any more when you sign in.');

export const recoveryCodeMail = (to: string): Mail =>
  noticeMail(to, 'Recovery code used', 'One of the recovery codes of your account was used to sign in. It works no more.');

const TAKE_BACK = 'Was that not you? Take it back within 72 hours: every device is signed out, and you can set a new password.';

/** Goes to the address that the account had until now. The new one stays the secret of whoever entered it. */
export const emailChangedMail = (to: string, link: string): Mail => ({
  to,
  subject: 'E-mail address changed: your Ruhani account',
  text: `Your account has another e-mail address from now on. Mails about your account go to the new one.\n\n${TAKE_BACK}\n\n${link}\n\nRUHANI\n`,
  html: layout({
    title: 'E-mail address changed',
    body: [
      paragraph('Your account has another e-mail address from now on. Mails about your account go to the new one.'),
      paragraph(TAKE_BACK),
      button('Take it back', link),
    ],
    foot: 'If it was you, you need not do anything.',
  }),
});
