import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import { widthsOf } from '#domain/pictures.ts';

import { codeOf } from '../infrastructure/cannot-start.ts';
import { Refusal } from '../http/refusal.ts';

/** In px, narrowest first: pages ask for all of these. A picture is never made larger than it came. */
const WIDTHS = widthsOf('/pictures/uploads/any.webp');
const MOST_PIXELS = 50_000_000;

/** By the name that the decoder gives to what it finds in the bytes, whatever the sender calls it. Drawings that are programs are none. */
const FORMATS = new Set(['jpeg', 'png', 'webp', 'heif']);

const refused = (message: string): Refusal => new Refusal({ status: 400, code: 'picture_refused', message, errors: { picture: message } });
const NOT_A_PICTURE = 'This is not a picture that the shop can show. Send a JPEG, PNG, WebP or AVIF.';
const TOO_LARGE = `The picture has more than ${MOST_PIXELS / 1_000_000} million pixels. Send a smaller one.`;

const isThere = async (file: string): Promise<boolean> => {
  try {
    await access(file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
};

const open = async (bytes: Buffer) => {
  // The largest library of the server, for what an admin does now and then: loaded when it is first needed.
  const { default: sharp } = await import('sharp');
  if (bytes.length === 0) throw refused(NOT_A_PICTURE);
  const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' });
  const { format, width, height } = await picture.metadata().catch(() => {
    throw refused(NOT_A_PICTURE);
  });
  if (!FORMATS.has(format)) throw refused(NOT_A_PICTURE);
  if (width * height > MOST_PIXELS) throw refused(TOO_LARGE);
  // Turned as its camera held it; nothing else of what the file tells about itself is kept.
  return picture.autoOrient();
};

/**
 * Keeps a picture in the directory as WebP of several widths, encoded anew: `<digest>.webp` and `<digest>-480.webp`. Answers with its
 * name; the same bytes have the same one. Throws a 400 for what is no picture, or is too large.
 */
export const keepPicture = async (directory: string, bytes: Buffer): Promise<string> => {
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const whole = path.join(directory, `${name}.webp`);
  if (await isThere(whole)) return name;
  const picture = await open(bytes);
  await mkdir(directory, { recursive: true });

  const write = async (width: number, file: string): Promise<void> => {
    const draft = `${file}.${randomUUID()}`;
    try {
      const resized = picture.clone().resize({ width, withoutEnlargement: true });
      await resized
        .webp({ quality: 80, effort: 4, smartSubsample: true })
        .toFile(draft)
        .catch(() => {
          throw refused(NOT_A_PICTURE);
        });
      // Appears whole or not at all.
      await rename(draft, file);
    } finally {
      await rm(draft, { force: true });
    }
  };
  // One after the other, the one that tells that all are there last.
  for (const width of WIDTHS) await write(width, path.join(directory, `${name}-${width}.webp`));
  await write(WIDTHS[WIDTHS.length - 1] ?? 0, whole);
  return name;
};
