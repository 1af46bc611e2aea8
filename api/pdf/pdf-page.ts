import { buffer } from 'node:stream/consumers';

import type { Instant } from '#domain/shared/time.ts';

import {
  PAPER_COLOURS,
  openPdf,
  PAGE,
  PAGE_FRAME,
  WIDTH,
  writerOn,
  type Block,
  type Frame,
  type Paragraph,
  type Pdf,
  type PdfElement,
  type Style,
} from './pdf.ts';
import { createQrCode, QR_CODE_SIDE } from './qr-code.ts';

const GUTTER = 32;
const CELL = { gap: 12, padding: 7 };

/** `width` is a share of the page's. */
export type Column = { readonly title: string; readonly width: number; readonly align?: 'right' };
/** A cell for each column. */
export type Row = readonly (readonly Paragraph[])[];

export type TaxDocumentHead = {
  /** `Packing slip` */
  readonly kind: string;
  readonly number: string;
  /** The time of the event, not of printing, so that the same tax document has the same bytes. */
  readonly at: Instant;
  /** Under the number. */
  readonly lines: readonly string[];
};

const styles = {
  kind: { face: 'display', size: 26, line: 30 },
  number: { face: 'strong', size: 11, line: 16 },
  small: { face: 'text', size: 8.5, line: 13, colour: PAPER_COLOURS.clove },
} as const satisfies Record<string, Style>;

/** The shop's logo on a field of 423 × 80; its letters are set. */
const LOGO = {
  scale: 0.36,
  niche:
    'M8 70L52 70L52 37.76C52 25.36 43.2 22.88 37.48 17.92C33.74 15.13 31.32 12.34 30 8C28.68 12.34 26.26 15.13 22.52 17.92C16.8 22.88 8 25.36 8 37.76Z',
  drop: 'M30 36.56C31.6 41.36 36.4 45.2 36.4 50A6.4 6.4 0 1 1 23.6 50C23.6 45.2 28.4 41.36 30 36.56Z',
  letters: { text: 'RUHANI', size: 64, left: 75, baseline: 62, spacing: 14 },
};

type Place = Frame & { readonly align?: 'right' | undefined };

/**
 * An A4 tax document that is written from top to bottom, with the shop's head, numbered pages, and tags for screen readers. In a `book` it is
 * one of several, each with page numbers of its own.
 */
export const openTaxDocument = ({ kind, number, at, lines }: TaxDocumentHead, book?: Pdf) => {
  const title = `${kind} ${number}`;
  const pdf = book ?? openPdf(title, at);
  book?.addPage({ size: 'A4', margin: 0 });
  const firstPage = pdf.bufferedPageRange().count - 1;
  const { widthOf, lay, write, rule } = writerOn(pdf);
  /** How far down the page is written. */
  let y = PAGE.top;
  let frame = PAGE_FRAME;

  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const child = (parent: PdfElement, tag: string, options?: { readonly scope?: 'Column'; readonly alt?: string }): PdfElement => {
    const element = pdf.struct(tag, options);
    parent.add(element);
    return element;
  };

  /** Begins a new page when there is no room for this height. */
  const makeRoom = (height: number): boolean => {
    const isFull = y + height > PAGE.height - PAGE.bottom;
    if (isFull) {
      pdf.addPage({ size: 'A4', margin: 0 });
      y = PAGE.top;
    }
    return isFull;
  };

  /** The one paragraph of a cell needs no tag of its own: each tag is an object of the document. */
  const writeBlock = (parent: PdfElement, { laid }: Block, from: number, { x, width, align }: Place, isCell = false): void => {
    for (const { lines, style, tag = 'P', top } of laid) {
      const draw = (): void => {
        for (const [index, line] of lines.entries())
          write(line.text, style, align === 'right' ? x + width - line.width : x, from + top + index * style.line);
      };
      if (isCell && laid.length === 1) parent.add(draw);
      else child(parent, tag).add(draw).end();
    }
  };

  const drawLogo = (): void => {
    const { scale, niche, drop, letters } = LOGO;
    pdf
      .save()
      .translate(PAGE.side - 8 * scale, PAGE.top)
      .scale(scale);
    pdf.path(niche).lineWidth(2.6).lineJoin('round').strokeColor(PAPER_COLOURS.gold).stroke();
    pdf.path(drop).fillColor(PAPER_COLOURS.gold).fill();
    pdf.restore();
    const style: Style = { face: 'display', size: letters.size * scale, line: 0 };
    let x = PAGE.side + (letters.left - 8) * scale;
    for (const letter of letters.text) {
      write(letter, style, x, PAGE.top + letters.baseline * scale - style.size * 0.3);
      x += widthOf(letter, style) + letters.spacing * scale;
    }
  };

  const writeHead = (): void => {
    child(root, 'Figure', { alt: 'RUHANI' }).add(drawLogo).end();
    const block = lay(
      [
        { text: kind, style: styles.kind, tag: 'H1' },
        { text: number, style: styles.number },
        ...lines.map((text) => ({ text, style: styles.small })),
      ],
      WIDTH / 2,
    );
    writeBlock(root, block, y, { x: PAGE.side + WIDTH / 2, width: WIDTH / 2, align: 'right' });
    y += block.height + 14;
    rule(y, PAPER_COLOURS.ink);
    y += 18;
  };

  const writeFoots = (): void => {
    const { count } = pdf.bufferedPageRange();
    const top = PAGE.height - PAGE.bottom + 20;
    for (let page = firstPage; page < count; page++) {
      pdf.switchToPage(page);
      rule(top);
      const place = `Page ${page - firstPage + 1} of ${count - firstPage}`;
      pdf.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] });
      write(title, styles.small, PAGE.side, top + 6);
      write(place, styles.small, PAGE.side + WIDTH - widthOf(place, styles.small), top + 6);
      pdf.endMarkedContent();
    }
  };

  const writeTable = (columns: readonly Column[], rows: readonly Row[], padding: number = CELL.padding): void => {
    let left = frame.x;
    const places = columns.map(({ width: share, align }, index): Place => {
      const [x, width] = [left, share * frame.width];
      left += width;
      return { x, width: width - (index === columns.length - 1 ? 0 : CELL.gap), align };
    });
    const layRow = (row: Row): readonly Block[] => places.map(({ width }, index) => lay(row[index] ?? [], width));
    const measureHeight = (cells: readonly Block[]): number => Math.max(...cells.map(({ height }) => height));
    const table = child(root, 'Table');
    const titles = layRow(columns.map(({ title: text }) => [{ text, style: styles.small }]));
    const writeRow = (cells: readonly Block[], tag: 'TH' | 'TD', top: number): void => {
      const row = child(table, 'TR');
      for (const [index, place] of places.entries()) {
        const cell = cells[index];
        if (cell) writeBlock(child(row, tag, tag === 'TH' ? { scope: 'Column' } : {}), cell, top, place, true);
      }
      row.end();
    };
    const writeTitles = (): void => {
      writeRow(titles, 'TH', y);
      y += measureHeight(titles) + 4;
      rule(y, PAPER_COLOURS.sandal, frame);
    };
    const laid = rows.map(layRow);
    makeRoom(measureHeight(titles) + measureHeight(laid[0] ?? titles) + 2 * padding + 4);
    writeTitles();
    for (const cells of laid) {
      const height = measureHeight(cells) + 2 * padding;
      if (makeRoom(height)) writeTitles();
      writeRow(cells, 'TD', y + padding);
      y += height;
      rule(y, PAPER_COLOURS.sandal, frame);
    }
    table.end();
  };

  const writeParagraphs = (paragraphs: readonly Paragraph[]): void => {
    for (const { lines, style, tag = 'P' } of lay(paragraphs, frame.width).laid) {
      // A heading stays with the line below it.
      makeRoom(style.line + (style.gap ?? 0) + (tag === 'P' ? 0 : 40));
      y += style.gap ?? 0;
      const element = child(root, tag);
      for (const { text } of lines) {
        makeRoom(style.line);
        element.add(() => write(text, style, frame.x, y));
        y += style.line;
      }
      element.end();
    }
  };

  /** Draws the code as one shape: seams between shapes would show as lines. */
  const drawQrCode = ({ size, runs }: ReturnType<typeof createQrCode>): void => {
    pdf
      .save()
      .translate(frame.x, y)
      .scale(QR_CODE_SIDE / size);
    for (const { x, y: row, length } of runs) pdf.rect(x, row, length, 1);
    pdf.fill(PAPER_COLOURS.ink).restore();
  };

  writeHead();
  return {
    /** Paragraphs that go on over pages. */
    write: writeParagraphs,
    /** A line that opens a web page. */
    link: (words: string, style: Style, url: string): void => {
      makeRoom(style.line + (style.gap ?? 0));
      y += style.gap ?? 0;
      const element = child(root, 'Link');
      element.add(() => write(words, style, frame.x, y));
      pdf.link(frame.x, y, widthOf(words, style), style.line, url, { Contents: words, structParent: element });
      element.end();
      y += style.line;
    },
    /** A square code, `QR_CODE_SIDE` wide, at the left edge. The white around it that readers need is the margin. */
    qrCode: (content: string, alt: string): void => {
      makeRoom(QR_CODE_SIDE);
      const code = createQrCode(content);
      child(root, 'Figure', { alt })
        .add(() => drawQrCode(code))
        .end();
      y += QR_CODE_SIDE;
    },
    /**
     * Two columns, of which the left has this width. They begin on one page if this height has room there; the right one may go on over
     * pages.
     */
    columns: (width: number, height: number, left: () => void, right: () => void): void => {
      makeRoom(height);
      const [top, page] = [y, pdf.bufferedPageRange().count];
      frame = { x: PAGE.side, width };
      left();
      const bottom = y;
      y = top;
      frame = { x: PAGE.side + width + GUTTER, width: WIDTH - width - GUTTER };
      right();
      if (pdf.bufferedPageRange().count === page) y = Math.max(y, bottom);
      frame = PAGE_FRAME;
    },
    /** Blocks beside each other, equally wide, on one page. */
    beside: (paragraphs: readonly (readonly Paragraph[])[]): void => {
      const width = (WIDTH - GUTTER * (paragraphs.length - 1)) / paragraphs.length;
      const blocks = paragraphs.map((each) => lay(each, width));
      const height = Math.max(...blocks.map((block) => block.height));
      makeRoom(height);
      for (const [index, block] of blocks.entries()) writeBlock(root, block, y, { x: PAGE.side + index * (width + GUTTER), width });
      y += height;
    },
    /** Rows stay whole; the titles come again on each page. `padding`: above and below each row. */
    table: writeTable,
    space: (height: number): void => {
      y += height;
    },
    /** Ends the paper in a book. */
    end: (): void => {
      writeFoots();
      root.end();
    },
    /** Ends the paper. */
    bytes: (): Promise<Buffer> => {
      writeFoots();
      pdf.end();
      return buffer(pdf);
    },
  };
};
