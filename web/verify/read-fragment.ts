const FORM = /^[A-Za-z0-9_-]+$/;
/** Larger than the proof of any invoice. */
const MAX_BYTES = 100_000;

const NOTHING = new Uint8Array();

/**
 * Reads the proof in a link's fragment, base64url of raw-deflated text. Returns no bytes, which are no receipt, if the fragment is something
 * else or too large.
 */
export const readFragment = async (fragment: string): Promise<Uint8Array> => {
  if (!FORM.test(fragment)) return NOTHING;
  try {
    const packed = Uint8Array.from(atob(fragment.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
    const parts: Uint8Array[] = [];
    let size = 0;
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      size += part.value.length;
      if (size > MAX_BYTES) {
        await reader.cancel();
        return NOTHING;
      }
    }
    return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
  } catch {
    return NOTHING;
  }
};
