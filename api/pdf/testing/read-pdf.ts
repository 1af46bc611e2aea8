import { getDocumentProxy, getMeta, extractText } from 'unpdf';

export type ReadPdf = {
  readonly pages: readonly string[];
  readonly title: unknown;
  readonly language: unknown;
  readonly isTagged: boolean;
  /** The links of the first page. */
  readonly links: readonly string[];
};

/** Reads the text of each page with the PDF reader of Firefox. */
export const readPdf = async (bytes: Uint8Array): Promise<ReadPdf> => {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const { text: pages } = await extractText(pdf, { mergePages: false });
  const { info } = await getMeta(pdf);
  const marks = await pdf.getMarkInfo();
  const annotations: readonly { readonly url?: string }[] = await (await pdf.getPage(1)).getAnnotations();
  const links = annotations.flatMap(({ url }) => url ?? []);
  await pdf.destroy();
  return { pages, title: info['Title'], language: info['Language'], isTagged: marks?.Marked === true, links };
};
