import { getDocumentProxy, getMeta, extractText } from 'unpdf';

export type ReadPdf = {
  readonly pages: readonly string[];
  readonly title: unknown;
  readonly language: unknown;
  readonly isTagged: boolean;
};

/** What a PDF reader (that of Firefox) finds in it, page by page. */
export const readPdf = async (bytes: Uint8Array): Promise<ReadPdf> => {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const { text: pages } = await extractText(pdf, { mergePages: false });
  const { info } = await getMeta(pdf);
  const marks = await pdf.getMarkInfo();
  await pdf.destroy();
  return { pages, title: info['Title'], language: info['Language'], isTagged: marks?.Marked === true };
};
