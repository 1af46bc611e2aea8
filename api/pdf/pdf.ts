import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';

import type { PlacedOrder } from '#domain/order/rules.ts';
import { instant, type CalendarDate, type Instant } from '#domain/shared/time.ts';

import { splitCharacters, loadFont, splitRuns, type Face, type FontRun } from './fonts.ts';

/** As in the shop's theme. The ground is the tax document itself: a printer has no ivory. */
export const PAPER_COLOURS = { ink: '#1f1814', clove: '#5e4e42', sandal: '#dccdb4', gold: '#a67c3d', oxblood: '#4f1219' };

/** The measures of A4 are in points (72 an inch), the unit of all measures here. */
export const PAGE = { width: 595.28, height: 841.89, side: 48, top: 40, bottom: 64 };
export const WIDTH = PAGE.width - 2 * PAGE.side;
/** Content is written between its edges. */
export type Frame = { readonly x: number; readonly width: number };
export const PAGE_FRAME: Frame = { x: PAGE.side, width: WIDTH };
/** `gap` is the space above a paragraph, `line` the height of a line. */
export type Style = { readonly face: Face; readonly size: number; readonly line: number; readonly colour?: string; readonly gap?: number };
export type Paragraph = { readonly text: string; readonly style: Style; readonly tag?: 'P' | 'H1' | 'H2' };

/** Returns the paragraphs about one party of a tax document. */
export const NAME: Style = { face: 'strong', size: 11, line: 17 };
const HEADING: Style = { face: 'text', size: 9, line: 15, colour: PAPER_COLOURS.clove };

export const heading = (words: string): Paragraph => ({ text: words, style: HEADING, tag: 'H2' });

export const text = (style: Style, ...lines: readonly string[]): readonly Paragraph[] =>
  lines.filter((line) => line !== '').map((line) => ({ text: line, style }));

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Formats a date, such as `14 November 2026`. */
export const taxDocumentDate = (date: CalendarDate): string => day.format(new Date(date));

type Line = { readonly text: string; readonly width: number };
/** The paragraph is broken into lines; `top` is its distance from the top of the block. */
type Laid = Paragraph & { readonly lines: readonly Line[]; readonly top: number };
export type Block = { readonly laid: readonly Laid[]; readonly height: number };
export type PdfElement = PDFKit.PDFStructureElement;

/** `Contents` is what screen readers say; `structParent` is the tag of the link's text. */
type LinkOptions = { readonly Contents: string; readonly structParent: PdfElement };
type LineOptions = { readonly lineBreak: false; readonly baseline: 'alphabetic' };
/** Adds what the types of pdfkit lack: fonts that are already open, and lines placed by their baseline. */
export type Pdf = PDFKit.PDFDocument & {
  registerFont(name: string, font: unknown): Pdf;
  text(text: string, x: number, y: number, options: LineOptions): Pdf;
  struct(tag: string, options?: { readonly scope?: 'Column'; readonly alt?: string }): PdfElement;
  link(x: number, y: number, width: number, height: number, url: string, options: LinkOptions): Pdf;
};

/** A `book` begins without a page: each paper in it adds its own. */
export const openPdf = (title: string, at: Instant, isBook = false): Pdf =>
  new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: !isBook,
    // Without this pdfkit would read a standard font from disk.
    font: '',
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-IN',
    displayTitle: true,
    info: { Title: title, Author: 'RUHANI', Creator: 'RUHANI', Producer: 'RUHANI', CreationDate: new Date(at), ModDate: new Date(at) },
  }) as Pdf;

/** Writes papers about several orders into one PDF, which is as old as the newest of them. The same orders give the same bytes. */
export const writeBook = (
  title: string,
  orders: readonly PlacedOrder[],
  write: (order: PlacedOrder, book: Pdf) => void,
): Promise<Buffer> => {
  const newest =
    orders
      .map(({ placement }) => placement.placedAt)
      .toSorted()
      .at(-1) ?? instant(new Date(0).toISOString());
  const book = openPdf(title, newest, true);
  for (const order of orders) write(order, book);
  book.end();
  return buffer(book);
};

export const writerOn = (pdf: Pdf) => {
  const inFont = ({ font, text }: FontRun, size: number): string => {
    pdf.registerFont(font, loadFont(font)).font(font).fontSize(size);
    return text;
  };
  const measureWidth = (text: string, { face, size }: Style): number =>
    splitRuns(text, face).reduce((sum, run) => sum + pdf.widthOfString(inFont(run, size)), 0);

  /** A word that is too long for a line is broken anywhere. */
  const wrap = (text: string, style: Style, width: number): readonly Line[] => {
    const space = measureWidth(' ', style);
    return text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((paragraph) => {
      const lines: Line[] = [];
      let line: Line = { text: '', width: 0 };
      const add = (part: string): void => {
        const more = measureWidth(part, style);
        const visible = part.endsWith(' ') ? more - space : more;
        const characters = visible > width ? splitCharacters(part) : [];
        if (characters.length > 1) {
          characters.forEach(add);
          return;
        }
        if (line.width + visible > width && line.text !== '') {
          lines.push(line);
          line = { text: '', width: 0 };
        }
        line = { text: line.text + part, width: line.width + more };
      };
      paragraph.trim().replace(/\s+/g, ' ').match(/\S+ ?/g)?.forEach(add);
      return [...lines, line].map(({ text, width }) => (text.endsWith(' ') ? { text, width: width - space } : { text, width }));
    });
  };

  return {
    widthOf: measureWidth,
    lay: (paragraphs: readonly Paragraph[], width: number): Block => {
      let height = 0;
      const laid = paragraphs.map((paragraph): Laid => {
        const { text, style } = paragraph;
        const top = height + (style.gap ?? 0);
        const lines = wrap(text, style, width);
        height = top + lines.length * style.line;
        return { ...paragraph, lines, top };
      });
      return { laid, height };
    },
    /** `top` is the top of the line. */
    write: (text: string, { face, size, line, colour = PAPER_COLOURS.ink }: Style, x: number, top: number): void => {
      pdf.fillColor(colour);
      let at = x;
      for (const run of splitRuns(text, face)) {
        // Letters reach about 0.72 of their size above the baseline and 0.24 below it, so this baseline centres them in the line.
        pdf.text(inFont(run, size), at, top + line / 2 + size * 0.3, { lineBreak: false, baseline: 'alphabetic' });
        at += pdf.widthOfString(run.text);
      }
    },
    rule: (top: number, colour = PAPER_COLOURS.sandal, { x, width }: Frame = PAGE_FRAME): void => {
      pdf.markContent('Artifact', { type: 'Layout' });
      pdf
        .lineWidth(0.6)
        .strokeColor(colour)
        .moveTo(x, top)
        .lineTo(x + width, top)
        .stroke();
      pdf.endMarkedContent();
    },
  };
};
