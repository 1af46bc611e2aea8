const COUNT = 2;
const LENGTH = 4;

/** The fields of the tuples of a binary COPY, which may come in pieces: null, or the bytes of each. */
export const tuplesIn = (pieces: readonly Buffer[]): (Buffer | null)[][] => {
  const bytes = Buffer.concat(pieces);
  const tuples: (Buffer | null)[][] = [];
  let at = 0;
  const field = (): Buffer | null => {
    const length = bytes.readInt32BE(at);
    at += LENGTH + Math.max(0, length);
    return length < 0 ? null : bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const fields = bytes.readInt16BE(at);
    at += COUNT;
    tuples.push(Array.from({ length: fields }, field));
  }
  return tuples;
};
