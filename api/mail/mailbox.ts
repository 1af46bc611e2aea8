import type { ShopContext, ShopMiddleware } from '../http/context.ts';
import { notFound, HttpError } from '../http/http-error.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { allMails, parseAttachments, newestMails, oneMail, type CaughtMail } from './caught-mail.ts';
import { sampleMails } from './gallery.ts';
import { galleryPage, MAILBOX_STYLES, mailboxPage, mailDocument, VIEWS, type OpenedMail, type View } from './mailbox-page.ts';

const ROOT = '/dev/mailbox';
const LISTED = 200;
const ID = /^\d{1,18}$/;

type MailboxParts = { readonly db: ShopDatabase; readonly publicUrl: string };

const throwNothingHere = (): never => {
  throw notFound('There is nothing at this address');
};

const messages = async (db: ShopDatabase) =>
  (await allMails(db)).map(({ recipient: to, subject, text, html, date, message_id: messageId }) => ({
    to,
    subject,
    text,
    html,
    date: date.toISOString(),
    messageId,
  }));

const findMail = (db: ShopDatabase, id: string): Promise<CaughtMail | undefined> =>
  ID.test(id) ? oneMail(db, id) : Promise.resolve(undefined);

const isView = (text: unknown): text is View => VIEWS.some((view) => view === text);

const showPage = async (db: ShopDatabase, ctx: ShopContext): Promise<void> => {
  const list = await newestMails(db, LISTED);
  const { message, view } = ctx.query;
  const id = typeof message === 'string' ? message : list[0]?.id;
  const mail = id === undefined ? undefined : await findMail(db, id);
  const shown: OpenedMail | undefined = mail && {
    mail,
    view: isView(view) ? view : mail.html ? 'html' : 'text',
    attached: (await parseAttachments(mail)).map(({ filename }) => filename ?? 'Without a name'),
  };
  ctx.type = 'html';
  ctx.body = mailboxPage(ROOT, list, shown);
};

/** Shows a mail in the frame: with styles, but without scripts, forms or network access. */
const showDocument = (ctx: ShopContext, mail: Pick<CaughtMail, 'html'> | undefined): void => {
  if (!mail) throw notFound('There is no such message');
  ctx.set(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
  );
  ctx.remove('X-Frame-Options');
  ctx.type = 'html';
  ctx.body = mailDocument(mail.html);
};

/** Sends an attachment as a download only, because a mail may contain anything. */
const sendAttachment = async (db: ShopDatabase, ctx: ShopContext, id: string, place: number): Promise<void> => {
  const mail = await findMail(db, id);
  const attachment = mail && (await parseAttachments(mail))[place];
  if (!attachment || typeof attachment.content === 'string') throw notFound('There is no such attachment');
  ctx.attachment(attachment.filename ?? undefined);
  ctx.type = 'application/octet-stream';
  ctx.body = Buffer.from(new Uint8Array(attachment.content));
};

const clear = async (db: ShopDatabase, ctx: ShopContext): Promise<void> => {
  await db.deleteFrom('caught_mail').execute();
  ctx.redirect(ROOT);
  ctx.status = 303;
};

const showGallery = (ctx: ShopContext, publicUrl: string, rest: string): void => {
  const [, unproven, kind] = /^\/gallery(\/unproven)?(?:\/([\w-]+)\.html)?$/.exec(rest) ?? throwNothingHere();
  const recipient = { isShopper: unproven === undefined };
  const mails = sampleMails(publicUrl, recipient);
  if (kind !== undefined) return showDocument(ctx, mails.get(kind));
  ctx.type = 'html';
  ctx.body = galleryPage(ROOT, mails, recipient);
};

const answer = async ({ db, publicUrl }: MailboxParts, ctx: ShopContext): Promise<void> => {
  const rest = ctx.path.slice(ROOT.length);
  const document = /^\/(\d+)\.html$/.exec(rest)?.[1];
  const [, mailId, place] = /^\/(\d+)\/(\d{1,3})$/.exec(rest) ?? [];
  if (ctx.method === 'POST' && rest === '/clear') return clear(db, ctx);
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
    throw new HttpError({ status: 405, code: 'method_not_allowed', message: 'Messages can only be read' });
  if (rest === '') return showPage(db, ctx);
  if (document !== undefined) return showDocument(ctx, await findMail(db, document));
  if (/^\/gallery(?:\/|$)/.test(rest)) return showGallery(ctx, publicUrl, rest);
  if (mailId !== undefined) return sendAttachment(db, ctx, mailId, Number(place));
  if (rest === '/messages') ctx.body = await messages(db);
  else if (rest === '/styles.css') {
    ctx.type = 'css';
    ctx.body = MAILBOX_STYLES;
  } else throwNothingHere();
};

/** Serves `/dev/mailbox` and its gallery to people, and `/dev/mailbox/messages` to programs, if there is a catcher. */
export const mailbox =
  (parts: MailboxParts): ShopMiddleware =>
  (ctx, next) => {
    if (ctx.path !== ROOT && !ctx.path.startsWith(`${ROOT}/`)) return next();
    ctx.set('Cache-Control', 'no-store');
    return answer(parts, ctx);
  };
