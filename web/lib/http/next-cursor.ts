const NEXT = /<([^>]*)>\s*;[^,]*\brel="?next\b/;

/** Returns the cursor in `Link: </api/product?limit=20&cursor=…>; rel="next"`, or undefined on the last page. */
export const nextCursor = (link: string | undefined): string | undefined => {
  const address = NEXT.exec(link ?? '')?.[1];
  // A relative URL needs a base to be parsed.
  return address === undefined ? undefined : (new URL(address, 'http://shop').searchParams.get('cursor') ?? undefined);
};
