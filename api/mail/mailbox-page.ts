import type { CaughtMail } from './caught-mail.ts';
import type { Mail } from './mail.ts';
import { html, Html } from './templates/mail-html.ts';
import type { Recipient } from './templates/order-mails.ts';

export const VIEWS = ['html', 'text', 'source'] as const;
export type View = (typeof VIEWS)[number];
const LABELS: Readonly<Record<View, string>> = { html: 'HTML', text: 'Text', source: 'Source' };

type Listed = Pick<CaughtMail, 'id' | 'recipient' | 'subject' | 'date'>;
export type OpenedMail = { readonly mail: CaughtMail; readonly view: View; readonly attached: readonly string[] };

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Asia/Kolkata' });
const calendar = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Asia/Kolkata' });

const time = (date: Date, format: Intl.DateTimeFormat): Html => html`<time datetime="${date.toISOString()}">${format.format(date)}</time>`;

const listItem = (root: string, { id, recipient, subject, date }: Listed, isShown: boolean): Html =>
  html`<li>
    <a href="${root}?message=${id}" ${isShown ? html` aria-current="true"` : ''}>
      <span class="subject">${subject || '(no subject)'}</span><span class="line"><span>${recipient}</span>${time(date, clock)}</span></a
    >
  </li>`;

const tab = (root: string, { mail, view }: OpenedMail, of: View): Html =>
  html`<a href="${root}?message=${mail.id}&amp;view=${of}" ${of === view ? html` aria-current="page"` : ''}>${LABELS[of]}</a>`;

/** The document in it has styles, but neither scripts nor forms. */
const frame = (title: string, address: string): Html =>
  html`<iframe title="${title}" src="${address}" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;

const content = (root: string, { mail, view }: OpenedMail): Html => {
  if (view === 'html') return frame(mail.subject, `${root}/${mail.id}.html`);
  return html`<pre>${view === 'text' ? mail.text : mail.source}</pre>`;
};

const attachments = (root: string, { mail, attached }: OpenedMail): Html =>
  html`<dt>Attached</dt>
    <dd>${attached.map((name, place) => html`<a href="${root}/${mail.id}/${place}">${name}</a> `)}</dd>`;

const article = (root: string, shown: OpenedMail): Html => {
  const { sender, recipient, subject, date } = shown.mail;
  return html`<article>
    <dl>
      <dt>From</dt>
      <dd>${sender}</dd>
      <dt>To</dt>
      <dd>${recipient}</dd>
      <dt>Subject</dt>
      <dd class="strong">${subject}</dd>
      <dt>Date</dt>
      <dd>${time(date, calendar)} IST</dd>
      ${shown.attached.length === 0 ? '' : attachments(root, shown)}
    </dl>
    <nav aria-label="Views of the message">${VIEWS.map((view) => tab(root, shown, view))}</nav>
    ${content(root, shown)}
  </article>`;
};

/** Renders a page of the mailbox without the shop's layout and without a script. */
const page = (root: string, title: string, about: Html, actions: Html, content: Html): string =>
  html`<!doctype html>
    <html lang="en-IN">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} &middot; RUHANI</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${root}/styles.css" />
      </head>
      <body>
        <header>
          <div>
            <h1>${title}</h1>
            <p>${about}</p>
          </div>
          <div class="actions">${actions}</div>
        </header>
        ${content}
      </body>
    </html>`.markup;

const ONLY_HERE = 'Development only; it does not exist once SMTP_URL is set.';

/** Renders the mailbox: the list on the left, a message on the right. */
export const mailboxPage = (root: string, list: readonly Listed[], shown: OpenedMail | undefined): string =>
  page(
    root,
    'Mailbox',
    html`Every message this shop sent. ${ONLY_HERE}`,
    html`<a class="button" href="${root}/gallery">One of each kind</a>
      <a class="button" href="${root}">Refresh</a>
      <form method="post" action="${root}/clear"><button class="button">Clear</button></form>`,
    html`<main>
      ${
        list.length === 0
          ? html`<p class="empty">No messages yet.</p>`
          : html`<ul>
              ${list.map((mail) => listItem(root, mail, mail.id === shown?.mail.id))}
            </ul>`
      }
      ${shown ? article(root, shown) : ''}
    </main>`,
  );

const sample = (address: string, kind: string, { subject, text }: Mail): Html =>
  html`<article id="${kind}">
    <h2>${subject}</h2>
    <div class="both">
      ${frame(subject, `${address}/${kind}.html`)}
      <pre tabindex="0">${text}</pre>
    </div>
  </article>`;

/** Renders one mail of each kind, as HTML and as text. `others` is the address of the gallery for the other recipients. */
export const galleryPage = (root: string, mails: ReadonlyMap<string, Mail>, { isShopper }: Recipient): string => {
  const [proven, unproven] = [`${root}/gallery`, `${root}/gallery/unproven`];
  return page(
    root,
    'One of each kind',
    html`Each message as it goes to ${isShopper ? 'the shopper, who has proven the address' : 'an address that nobody has proven'}.
    ${ONLY_HERE}`,
    html`<a class="button" href="${isShopper ? unproven : proven}">${isShopper ? 'To an unproven address' : 'To the shopper'}</a>
      <a class="button" href="${root}">Mailbox</a>`,
    html`<main class="gallery">
      <ul>
        ${[...mails].map(([kind, { subject }]) => html`<li><a href="#${kind}">${subject}</a></li>`)}
      </ul>
      <div>${[...mails].map(([kind, mail]) => sample(isShopper ? proven : unproven, kind, mail))}</div>
    </main>`,
  );
};

/** Links open outside the frame, which cannot navigate itself. */
export const mailDocument = (markup: string): string => `<!doctype html><base target="_blank">${markup}`;

/** The shop's design tokens: ivory, ink, clove, sandal, teak, tax document, oxblood. */
export const MAILBOX_STYLES = `
* { box-sizing: border-box; margin: 0; padding: 0; }
body { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem; background: #faf6ef; color: #1f1814; font: 0.9375rem/1.5 Figtree, "Segoe UI", system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; align-items: flex-end; justify-content: space-between; gap: 1rem; padding-bottom: 1rem; border-bottom: 1px solid #1f1814; }
h1 { font-size: 1.25rem; font-weight: 600; }
header p { margin-top: 0.25rem; font-size: 0.875rem; color: #5e4e42; }
.actions { display: flex; gap: 0.5rem; }
.button { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 0.875rem; border: 1px solid #8c7a66; border-radius: 2px; background: none; color: inherit; font-size: 0.75rem; font-family: inherit; font-weight: 500; line-height: 1; text-decoration: none; cursor: pointer; }
.button:hover { border-color: #1f1814; }
ul { list-style: none; }
li a { display: block; padding: 0.875rem 0.75rem; border-bottom: 1px solid #dccdb4; color: inherit; text-decoration: none; }
li a:hover, li a[aria-current] { background: #f3ece0; }
li a[aria-current] { box-shadow: inset 2px 0 0 #4f1219; }
.subject { display: block; overflow: hidden; font-weight: 500; text-overflow: ellipsis; white-space: nowrap; }
.line { display: flex; justify-content: space-between; gap: 1rem; margin-top: 0.125rem; font-size: 0.75rem; color: #5e4e42; }
.line span { overflow: hidden; text-overflow: ellipsis; }
time { font-variant-numeric: tabular-nums; white-space: nowrap; }
article { min-width: 0; padding: 1.25rem 0; }
dl { display: grid; grid-template-columns: 4.5rem 1fr; row-gap: 0.25rem; font-size: 0.875rem; }
dt { color: #5e4e42; }
dd a { color: #4f1219; }
dd { overflow-wrap: anywhere; }
.strong { font-weight: 500; }
nav { display: flex; gap: 0.25rem; margin-top: 1rem; border-bottom: 1px solid #dccdb4; }
nav a { min-height: 2.75rem; padding: 0.75rem; font-size: 0.875rem; line-height: 1.25rem; color: #5e4e42; text-decoration: none; }
nav a[aria-current] { border-bottom: 2px solid #4f1219; font-weight: 500; color: #1f1814; }
iframe { display: block; width: 100%; height: 40rem; margin-top: 1.5rem; border: 1px solid #dccdb4; background: #fffdf9; }
pre { margin-top: 1.5rem; padding: 1.5rem; border: 1px solid #dccdb4; background: #fffdf9; font: 0.8125rem/1.6 ui-monospace, "SFMono-Regular", "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
h2 { font-size: 1rem; font-weight: 600; }
.empty { padding: 1.5rem 0; color: #5e4e42; }
a:focus-visible, button:focus-visible { outline: 2px solid #4f1219; outline-offset: 2px; }
@media (min-width: 48rem) {
  body { padding: 2.5rem 2rem; }
  .button { min-height: 2.25rem; }
  main { display: grid; grid-template-columns: 22rem 1fr; }
  ul { border-right: 1px solid #dccdb4; }
  article { padding-left: 2rem; }
}
@media (min-width: 64rem) {
  main.gallery { grid-template-columns: 15rem minmax(0, 1fr); }
  .both { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem; }
  .both pre { height: 40rem; overflow: auto; }
}
`;
