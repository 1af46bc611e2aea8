import type { DeliveryWindow } from '#domain/order/rules.ts';
import type { OrderLine, ShippingAddress } from '#domain/order/events.ts';
import type { OrderNumber } from '#domain/shared/ids.ts';
import type { Totals } from '#domain/order/totals.ts';
import type { CalendarDate, Instant } from '#domain/shared/time.ts';
import { formatRupees, ZERO, times } from '#domain/shared/money.ts';

import { html, type Html } from './mail-html.ts';
import { button, MAIL_COLOURS, link, paragraph, SERIF } from './layout.ts';

/** A dot of any script between two words, a scheme, or an at sign. */
const LINK = /[\p{L}\p{N}_-][.。．｡](?=[\p{L}\p{N}]{2})|[\p{L}\p{N}+.-]:(?=\/)|@|\/(?=\/)/gu;

/** Returns whether a mail program could make a link of a part of the text. */
export const readsLikeLink = (text: string): boolean => text.search(LINK) !== -1;

/**
 * Returns the text with invisible word joiners where a mail program would otherwise make a link of what somebody typed: nobody can have the
 * shop send links to others.
 */
export const withoutLinks = (text: string): string => text.replaceAll(LINK, (found) => `${found}\u2060`);

/** HTML and plain text have the same content. */
export type MailPart = { readonly html: Html; readonly text: string };

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
const dayInIndia = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'Asia/Kolkata' });

/** Formats a date such as `Saturday 28 November`. */
export const formatWeekday = (date: CalendarDate): string => weekday.format(new Date(date));

export const textPart = (text: string): MailPart => ({ html: paragraph(text), text });

/** Writes number and date on one line, so that the number can be copied. */
export const reference = (number: OrderNumber, placedAt: Instant): MailPart => {
  const whole = `Order ${number} · ${dayInIndia.format(new Date(placedAt))}`;
  return {
    html: html`<p style="margin:0 0 16px;font-size:15px;line-height:1.6;color:${MAIL_COLOURS.ink};white-space:nowrap">${whole}</p>`,
    text: whole,
  };
};

/** `Courier: Blue Dart` */
export const factPart = (name: string, value: string): MailPart => ({
  html: paragraph(html`${name}: <span style="color:${MAIL_COLOURS.ink}">${value}</span>`),
  text: `${name}: ${value}`,
});

export const buttonPart = (label: string, href: string): MailPart => ({ html: button(label, href), text: `${label}: ${href}` });

/** Writes a sentence that ends in a link: `All your orders are in My Orders.` */
export const linkPart = (before: string, label: string, href: string): MailPart => ({
  html: paragraph(html`${before} ${link(label, href)}.`),
  text: `${before} ${label}: ${href}`,
});

const label = (text: string): Html =>
  html`<p style="margin:0 0 6px;font-size:13px;line-height:1.4;color:${MAIL_COLOURS.clove}">${text}</p>`;

const panel = (heading: string, content: Html, colour: string): Html =>
  html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:24px 0;background:${colour}">
    <tr>
      <td style="padding:20px 24px">${label(heading)}${content}</td>
    </tr>
  </table>`;

const headline = (text: string): Html =>
  html`<p style="margin:0;font-family:${SERIF};font-size:22px;line-height:1.3;color:${MAIL_COLOURS.ink}">${text}</p>`;

/** The text is cached, because formatting is slow and all orders of a day have the same window. */
let latest: (DeliveryWindow & { readonly inWords: string }) | undefined;
const inWords = ({ from, to }: DeliveryWindow): string => {
  if (latest?.from !== from || latest.to !== to) latest = { from, to, inWords: day.formatRange(new Date(from), new Date(to)) };
  return latest.inWords;
};

export const expectedDelivery = (window: DeliveryWindow): MailPart => {
  const days = inWords(window);
  return { html: panel('Expected delivery', headline(days), MAIL_COLOURS.taxDocument), text: `Expected delivery: ${days}` };
};

/** Keeps the line breaks of a typed text. */
export const inLines = (text: string): readonly Html[] =>
  text.split(/\r\n|\r|\n/).map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`));

const italic = (text: string): Html =>
  html`<p style="margin:0;font-family:${SERIF};font-style:italic;font-size:18px;line-height:1.5;color:${MAIL_COLOURS.ink}">
    ${inLines(text)}
  </p>`;

export const written = (heading: string, typed: string, isQuoted = false): MailPart => {
  const text = withoutLinks(typed);
  return {
    html: panel(heading, italic(text), isQuoted ? MAIL_COLOURS.floral : MAIL_COLOURS.taxDocument),
    text: `${heading}:\n${text}`,
  };
};

const lineRow = ({ name, details, quantity, unitPrice }: OrderLine): Html => {
  const cell = `padding:16px 0;border-top:1px solid ${MAIL_COLOURS.sandal};vertical-align:top`;
  return html`<tr>
    <td style="${cell}">
      <p style="margin:0;font-family:${SERIF};font-size:19px;line-height:1.3;color:${MAIL_COLOURS.ink}">${name}</p>
      <p style="margin:4px 0 0;font-size:13px;line-height:1.5;color:${MAIL_COLOURS.clove}">${details}</p>
      <p style="margin:4px 0 0;font-size:13px;line-height:1.5;color:${MAIL_COLOURS.clove}">Quantity ${quantity}</p>
    </td>
    <td align="right" style="${cell};padding-left:16px;font-size:15px;line-height:1.6;color:${MAIL_COLOURS.ink};white-space:nowrap">
      ${formatRupees(times(unitPrice, quantity))}
    </td>
  </tr>`;
};

export const orderedPerfumes = (lines: readonly OrderLine[], title = 'Your perfumes'): MailPart => ({
  html: html`<h2 style="margin:32px 0 16px;font-family:${SERIF};font-weight:500;font-size:22px;line-height:1.3;color:${MAIL_COLOURS.ink}">
      ${title}
    </h2>
    <table
      width="100%"
      cellpadding="0"
      cellspacing="0"
      style="margin:0 0 24px;border-collapse:collapse;border-bottom:1px solid ${MAIL_COLOURS.sandal}"
    >
      ${lines.map(lineRow)}
    </table>`,
  text: lines.map(({ name, quantity, unitPrice }) => `${quantity} x ${name}  ${formatRupees(times(unitPrice, quantity))}`).join('\n'),
});

const sumRow = ([name, amount]: readonly [string, string]): Html =>
  html`<tr>
    <td style="padding:4px 0;font-size:15px;line-height:1.6;color:${MAIL_COLOURS.clove}">${name}</td>
    <td align="right" style="padding:4px 0;font-size:15px;line-height:1.6;color:${MAIL_COLOURS.ink};white-space:nowrap">${amount}</td>
  </tr>`;

/** Gift wrap and discount are listed only if there are any. */
const listSums = ({ subtotal, giftWrap, tax, discount }: Totals): readonly (readonly [string, string])[] => [
  ['Subtotal', formatRupees(subtotal)],
  ...(giftWrap === ZERO ? [] : [['Gift Wrap', formatRupees(giftWrap)] as const]),
  ...(discount === ZERO ? [] : [['Discount', `−${formatRupees(discount)}`] as const]),
  ['Taxes', formatRupees(tax)],
];

export const summary = (totals: Totals, payment: string): MailPart => {
  const total = formatRupees(totals.total);
  const sums = listSums(totals);
  const cell = `padding:12px 0 4px;border-top:1px solid ${MAIL_COLOURS.sandal};color:${MAIL_COLOURS.ink}`;
  return {
    html: html`<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;border-collapse:collapse">
      ${sums.map(sumRow)}
      <tr>
        <td colspan="2" style="padding-top:8px;font-size:0;line-height:0">&nbsp;</td>
      </tr>
      <tr>
        <td style="${cell};font-size:15px;font-weight:600">Total</td>
        <td align="right" style="${cell};font-family:${SERIF};font-size:24px;white-space:nowrap">${total}</td>
      </tr>
      <tr>
        <td colspan="2" style="padding:2px 0 0;font-size:13px;line-height:1.6;color:${MAIL_COLOURS.clove}">${payment}</td>
      </tr>
    </table>`,
    text: [...sums, ['Total', total] as const].map(([name, amount]) => `${name}: ${amount}`).join('\n') + `\n${payment}`,
  };
};

export const addressLines = ({ name, address1, address2, city, state, postalCode, country, phone }: ShippingAddress): readonly string[] =>
  [name, address1, address2, `${city}, ${state} ${postalCode}`, country, phone].filter((line) => line !== '');

export const shippingTo = (address: ShippingAddress): MailPart => {
  const lines = withoutLinks(addressLines(address).join('\n'));
  return {
    html: html`${label('Shipping to')}
      <p style="margin:0 0 24px;font-size:15px;line-height:1.6;color:${MAIL_COLOURS.ink}">${inLines(lines)}</p>`,
    text: `Shipping to:\n${lines}`,
  };
};
