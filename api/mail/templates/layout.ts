import { html, type Html } from './mail-html.ts';

/** The colours are those of web/ui/tokens.css, because mail programs require literals. */
export const MAIL_COLOURS = {
  ivory: '#faf6ef',
  white: '#fffdf9',
  ink: '#1f1814',
  clove: '#5e4e42',
  taxDocument: '#f3ece0',
  floral: '#f1dad0',
  sandal: '#dccdb4',
  gold: '#a67c3d',
  oxblood: '#4f1219',
};
export const SERIF = "'EB Garamond', Garamond, Georgia, serif";
const SANS = "Figtree, 'Segoe UI', Helvetica, Arial, sans-serif";

export const paragraph = (content: string | Html): Html =>
  html`<p style="margin:0 0 16px;font-size:15px;line-height:1.6;color:${MAIL_COLOURS.clove}">${content}</p>`;

export const link = (label: string, href: string): Html => html`<a href="${href}" style="color:${MAIL_COLOURS.oxblood}">${label}</a>`;

export const button = (label: string, href: string): Html =>
  html`<p style="margin:24px 0">
    <a
      href="${href}"
      style="display:inline-block;padding:14px 28px;background:${MAIL_COLOURS.oxblood};color:${MAIL_COLOURS.white};font-size:15px;text-decoration:none;border-radius:2px"
      >${label}</a
    >
  </p>`;

type Content = {
  readonly title: string;
  /** A mail program's list shows this hidden preview. By default it is the beginning of the mail. */
  readonly preview?: string;
  readonly body: readonly Html[];
  readonly foot: string | Html;
};

const hidden = (text: string): Html => html`<div style="display:none;max-height:0;overflow:hidden">${text}</div>`;

/**
 * Renders a mail without pictures: loading them could reveal when the mail is read. Mail programs that show dark mails are asked to leave
 * this one light; each text has a colour and a ground of its own, so those that change colours all the same change both.
 */
export const layout = ({ title, preview, body, foot }: Content): string =>
  html`<!doctype html>
    <html lang="en-IN">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light only" />
        <meta name="supported-color-schemes" content="light only" />
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no" />
        <title>${title}</title>
        <style>
          :root {
            color-scheme: light only;
          }
          @media (max-width: 480px) {
            .card {
              padding: 32px 24px !important;
            }
          }
        </style>
      </head>
      <body bgcolor="${MAIL_COLOURS.ivory}" style="margin:0;padding:0;background:${MAIL_COLOURS.ivory};font-family:${SANS}">
        ${preview === undefined ? '' : hidden(preview)}
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${MAIL_COLOURS.ivory}">
          <tr>
            <td align="center" style="padding:32px 16px">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                style="max-width:560px;background:${MAIL_COLOURS.white};border:1px solid ${MAIL_COLOURS.sandal}"
              >
                <tr>
                  <td class="card" style="padding:40px;overflow-wrap:anywhere">
                    <p style="margin:0;font-family:${SERIF};font-size:22px;letter-spacing:0.28em;color:${MAIL_COLOURS.ink}">RUHANI</p>
                    <p style="margin:12px 0 0;width:40px;border-top:1px solid ${MAIL_COLOURS.gold};font-size:0;line-height:0">&nbsp;</p>
                    <h1
                      style="margin:28px 0 16px;font-family:${SERIF};font-weight:500;font-size:30px;line-height:1.2;color:${MAIL_COLOURS.ink}"
                    >
                      ${title}
                    </h1>
                    ${body}
                    <p
                      style="margin:32px 0 0;padding-top:20px;border-top:1px solid ${MAIL_COLOURS.sandal};font-size:13px;line-height:1.6;color:${MAIL_COLOURS.clove}"
                    >
                      ${foot}
                    </p>
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`.markup;
