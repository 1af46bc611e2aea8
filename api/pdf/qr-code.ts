import { encode } from 'uqr';

/** 60 mm, in points. A module of the largest code has 0.4 mm then, which telephones read from paper. */
export const QR_CODE_SIDE = (60 / 25.4) * 72;
/** With 149 modules a side. */
const LARGEST_VERSION = 33;
/** A code of that version has room for so many bytes if it is to be read with 15% of it damaged (level M), and for 2,071 with 7% (level L). */
const MOST_AT_LEVEL_M = 1_541;

/** Dark modules beside each other, from (`x`, `y`), in modules. */
type Run = { readonly x: number; readonly y: number; readonly length: number };

/** Makes the QR code of an ASCII text. Throws if it is longer than 2,071 characters. */
export const createQrCode = (text: string): { readonly size: number; readonly runs: readonly Run[] } => {
  const { data, size } = encode(text, { ecc: text.length > MOST_AT_LEVEL_M ? 'L' : 'M', maxVersion: LARGEST_VERSION, border: 0 });
  const runs: Run[] = [];
  for (const [y, row] of data.entries())
    for (let x = row.indexOf(true); x !== -1;) {
      const light = row.indexOf(false, x);
      const end = light === -1 ? size : light;
      runs.push({ x, y, length: end - x });
      x = row.indexOf(true, end);
    }
  return { size, runs };
};
