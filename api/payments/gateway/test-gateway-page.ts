import { formatRupees } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';

import { html, Html } from '../../mail/templates/mail-html.ts';
import { capturedSum, type TestLink } from './test-gateway-rows.ts';
import { WEBHOOK_TIMES, type WebhookTime } from './test-gateway-webhooks.ts';

const STATUSES: Readonly<Record<TestLink['status'], string>> = {
  open: 'Open',
  paid: 'Paid',
  partly_paid: 'Partly paid',
  cancelled: 'Cancelled',
  expired: 'Expired',
};
const WEBHOOKS: Readonly<Record<WebhookTime, string>> = {
  now: 'At once',
  twice: 'Twice',
  late: 'Five seconds late',
  never: 'Never',
};
const METHODS: Readonly<Record<string, string>> = { upi: 'UPI', card: 'Card' };

const calendar = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Asia/Kolkata' });
const time = (at: Instant): Html => html`<time datetime="${at}">${calendar.format(new Date(at))} IST</time>`;

const page = (root: string, title: string, content: Html): string =>
  html`<!doctype html>
    <html lang="en-IN">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} &middot; RUHANI</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${root}/styles.css" />
      </head>
      <body>
        <header>
          <a href="/"><img src="/logo.svg" alt="RUHANI" width="148" height="28" /></a>
          <p>Test gateway: no money moves. It does not exist once RAZORPAY_KEY_ID or DATABASE_URL is set.</p>
        </header>
        <main>${content}</main>
      </body>
    </html>`.markup;

const listItem = (root: string, link: TestLink): Html =>
  html`<li>
    <a href="${root}/${link.id}">
      <span class="line"
        ><span class="strong">${link.number || link.id}</span><span class="figures">${formatRupees(link.amount)}</span></span
      >
      <span class="line quiet"><span>${time(link.createdAt)}</span><span>${STATUSES[link.status]}</span></span></a
    >
  </li>`;

export const testLinksPage = (root: string, links: readonly TestLink[]): string =>
  page(
    root,
    'Payments',
    html`<h1>Payments</h1>
      ${
        links.length === 0
          ? html`<p class="quiet">No order has asked for a payment yet.</p>`
          : html`<ul>
              ${links.map((link) => listItem(root, link))}
            </ul>`
      }`,
  );

const webhookChoice = (when: WebhookTime): Html =>
  html`<label><input type="radio" name="webhook" value="${when}" ${when === 'now' ? html` checked` : ''} />${WEBHOOKS[when]}</label>`;

const paymentLine = ({ amount, method, at, status, reason, refunds }: TestLink['payments'][number]): Html =>
  html`<li>
    <span class="line">
      <span>${METHODS[method] ?? method}, ${status === 'captured' ? 'paid' : 'failed'}</span
      ><span class="figures">${formatRupees(amount)}</span>
    </span>
    <span class="line quiet"><span>${reason === undefined ? '' : `${reason}, `}${time(at)}</span></span>
    ${refunds.map(
      (refund) =>
        html`<span class="line quiet"
          ><span>Refund, ${refund.status}</span><span class="figures">${formatRupees(refund.amount)}</span></span
        >`,
    )}
  </li>`;

const notice = ({ status, payments }: TestLink): Html | '' => {
  if (payments.at(-1)?.status === 'failed') return html`<p role="alert" class="notice">The payment failed. Nothing was taken.</p>`;
  if (status === 'open') return '';
  return html`<p class="notice">${STATUSES[status]}. It can be paid again, to try what the shop does then.</p>`;
};

export type WrongAmount = { readonly typed: string; readonly problem: string };

/** Renders the hosted page of a link with plain forms that work with a keyboard alone. */
export const testLinkPage = (root: string, link: TestLink, wrong?: WrongAmount): string =>
  page(
    root,
    `Pay ${formatRupees(link.amount)}`,
    html`<h1>Pay for order ${link.number}</h1>
      <p class="amount figures">${formatRupees(link.amount)}</p>
      ${wrong ? '' : notice(link)}
      <form method="post" action="${root}/${link.id}/pay">
        <div class="buttons">
          <button class="primary" name="method" value="upi">Pay by UPI</button>
          <button class="primary" name="method" value="card">Pay by card</button>
          <button name="method" value="upi" formaction="${root}/${link.id}/fail">Fail the payment</button>
          ${
            capturedSum(link) > 0
              ? html`<button name="method" value="upi" formaction="${root}/${link.id}/refund">Refund behind the shop's back</button>`
              : ''
          }
        </div>
        <label class="field" for="amount">Amount, in rupees</label>
        <input
          id="amount"
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          value="${wrong ? wrong.typed : (link.amount / 100).toFixed(2)}"
          ${wrong ? html` aria-invalid="true" aria-describedby="problem" autofocus` : ''}
        />
        ${wrong ? html`<p id="problem" class="problem">${wrong.problem}</p>` : ''}
        <fieldset>
          <legend>The shop is told</legend>
          ${WEBHOOK_TIMES.map(webhookChoice)}
        </fieldset>
      </form>
      ${
        link.payments.length === 0
          ? ''
          : html`<h2>Payments so far</h2>
              <ul>
                ${link.payments.map(paymentLine)}
              </ul>`
      }
      <p><a href="${link.returnTo}">Back to the shop without paying</a></p>`,
  );

/** The shop's design tokens: ivory, ink, clove, sandal, teak, tax document, oxblood, garnet, sindoor. */
export const TEST_GATEWAY_STYLES = `
* { box-sizing: border-box; margin: 0; padding: 0; }
body { max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; background: #faf6ef; color: #1f1814; font: 1rem/1.6 Figtree, "Segoe UI", system-ui, sans-serif; }
header { padding-bottom: 1rem; border-bottom: 1px solid #dccdb4; }
header a { display: inline-block; padding: 0.5rem 0; }
header img { display: block; height: 1.75rem; width: auto; }
header p, .quiet { font-size: 0.8125rem; color: #5e4e42; }
h1 { margin-top: 2rem; font: 400 1.75rem/1.15 "EB Garamond", Georgia, serif; overflow-wrap: anywhere; }
h2 { margin-top: 2.5rem; font: 400 1.375rem/1.22 "EB Garamond", Georgia, serif; }
.amount { margin-top: 0.5rem; font-size: 1.5rem; font-weight: 500; color: #4f1219; }
.figures { font-variant-numeric: lining-nums tabular-nums; white-space: nowrap; }
.notice { margin-top: 1rem; padding: 0.75rem 1rem; border-left: 2px solid #4f1219; background: #f3ece0; }
.buttons { display: grid; gap: 0.75rem; margin-top: 1.5rem; }
button { min-height: 3rem; padding: 0 1rem; border: 1px solid #8c7a66; border-radius: 2px; background: none; color: inherit; font: inherit; font-weight: 500; cursor: pointer; }
button:hover { border-color: #1f1814; }
.primary { border-color: #4f1219; background: #4f1219; color: #faf6ef; }
.primary:hover { border-color: #6b1a22; background: #6b1a22; }
.field { display: block; margin-top: 1.5rem; font-size: 0.875rem; color: #5e4e42; }
input[name="amount"] { width: 100%; min-height: 2.75rem; margin-top: 0.25rem; padding: 0 0.75rem; border: 1px solid #8c7a66; border-radius: 2px; background: #fffdf9; color: inherit; font: inherit; }
.problem { margin-top: 0.25rem; font-size: 0.875rem; color: #ae2318; }
input[aria-invalid] { border-color: #ae2318; }
fieldset { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin-top: 1.5rem; padding: 0.75rem 1rem; border: 1px solid #dccdb4; border-radius: 2px; }
legend { padding: 0 0.25rem; font-size: 0.875rem; color: #5e4e42; }
fieldset label { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; }
input[type="radio"] { width: 1.125rem; height: 1.125rem; accent-color: #4f1219; }
ul { margin-top: 1rem; border-top: 1px solid #dccdb4; list-style: none; }
li { border-bottom: 1px solid #dccdb4; }
main li > a, li:not(:has(> a)) { display: block; padding: 0.75rem 0; color: inherit; text-decoration: none; }
li a:hover { background: #f3ece0; }
.line { display: flex; justify-content: space-between; gap: 1rem; }
.strong { font-weight: 500; overflow-wrap: anywhere; }
main > p > a { display: inline-block; margin-top: 2rem; padding: 0.625rem 0; color: #4f1219; text-underline-offset: 0.28em; }
:focus-visible { outline: 2px solid #4f1219; outline-offset: 3px; }
@media (min-width: 30rem) { .buttons { grid-template-columns: 1fr 1fr; } .buttons button:nth-child(n + 3) { grid-column: 1 / -1; } }
`;
