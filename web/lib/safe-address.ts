const SAFE = new Set(['https:', 'http:', 'mailto:', 'tel:']);

/**
 * Whether a link may lead there: within the shop, to another site, to mail or telephone. Asked the way the browser will read it, which
 * drops blanks before a scheme and line breaks within it. Everything else, `javascript:` above all, is text and no link.
 */
export const isSafeAddress = (address: string): boolean => {
  try {
    return SAFE.has(new URL(address, 'https://shop.invalid').protocol);
  } catch {
    return false;
  }
};
