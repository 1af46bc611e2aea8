import { priceText } from '#domain/product/view.ts';
import type { Paise } from '#domain/shared/money.ts';

import type { Mail } from '../mail.ts';
import { html, type Html } from './mail-html.ts';
import { button, MAIL_COLOURS, layout, link, paragraph, SERIF } from './layout.ts';

const HARVESTS = [
  ['Rose', 'before the sun is on the fields'],
  ['Mogra', 'by the night train, still closed'],
  ['Khus', 'the roots, dug when the river is low'],
  ['Kewda', 'after the first rain'],
] as const;

const OPENING = 'You are on the list for our letters. When there is news of a harvest, we may write to you.';
const FOOT = 'You get this because somebody entered your address in our shop. If that was not you, or whenever you have had enough:';

const harvest = ([name, when]: (typeof HARVESTS)[number]): Html =>
  html`<tr>
    <td
      style="padding:12px 16px 12px 0;border-top:1px solid ${MAIL_COLOURS.sandal};font-family:${SERIF};font-size:20px;white-space:nowrap;color:${MAIL_COLOURS.ink}"
    >
      ${name}
    </td>
    <td style="padding:12px 0;border-top:1px solid ${MAIL_COLOURS.sandal};font-size:14px;line-height:1.5;color:${MAIL_COLOURS.clove}">
      ${when}
    </td>
  </tr>`;

/** The mail contains no name or input: otherwise strangers could write to an address by subscribing it. */
export const welcomeMail = (to: string, unsubscribe: string): Mail => ({
  to,
  subject: 'Your letters from Kannauj',
  unsubscribe,
  text: `${OPENING}\n\n${HARVESTS.map(([name, when]) => `${name}: ${when}`).join('\n')}\n\n${FOOT}\n${unsubscribe}\n\nRUHANI\n`,
  html: layout({
    title: 'You are on the list',
    body: [
      paragraph(OPENING),
      html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:24px 0 0">
        ${HARVESTS.map(harvest)}
      </table>`,
    ],
    foot: html`${FOOT} ${link('leave the list', unsubscribe)}.`,
  }),
});

const NOTICE_FOOT =
  'You get this because somebody asked for it with your address. It was the only mail about this perfume. To get none about others:';

type Returned = {
  readonly to: string;
  readonly name: string;
  readonly price: Paise;
  /** These are the addresses of the perfume's page, and of the page that ends all requests. */
  readonly page: string;
  readonly end: string;
};

export const restockMail = ({ to, name, price, page, end }: Returned): Mail => {
  const title = `${name} is back`;
  const cost = priceText(price);
  const lead = `${name} is in stock again${cost === '' ? '' : `, at ${cost}`}. We keep no bottle aside: whoever orders first has it.`;
  return {
    to,
    subject: title,
    unsubscribe: end,
    text: `${title}\n\n${lead}\n\nSee ${name}: ${page}\n\n${NOTICE_FOOT}\n${end}\n\nRUHANI\n`,
    html: layout({
      title,
      preview: lead,
      body: [paragraph(lead), button(`See ${name}`, page)],
      foot: html`${NOTICE_FOOT} ${link('end all notices', end)}.`,
    }),
  };
};
