const NEXT = /<([^>]*)>\s*;[^,]*\brel="?next\b/;

/** The cursor in `Link: </api/product?limit=20&cursor=…>; rel="next"`; undefined when the listing ends here. */
export const nextCursor = (link: string | undefined): string | undefined => {
  const address = NEXT.exec(link ?? '')?.[1];
  // The base only makes a relative address readable.
  return address === undefined ? undefined : (new URL(address, 'http://shop').searchParams.get('cursor') ?? undefined);
};
