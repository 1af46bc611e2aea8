const NEXT = /<([^>]*)>\s*;[^,]*\brel="?next\b/;

/** The cursor in `Link: </api/product?limit=20&cursor=…>; rel="next"`; undefined on the last page. */
export const nextCursor = (link: string | undefined): string | undefined => {
  const address = NEXT.exec(link ?? '')?.[1];
  // The base is only there to parse a relative URL.
  return address === undefined ? undefined : (new URL(address, 'http://shop').searchParams.get('cursor') ?? undefined);
};
