import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { variantAddress, listWidths } from '#domain/site/pictures.ts';

/*
 * Makes every picture in every width and format: `npx tsx web/pictures/make.ts`. Existing files are kept: to remake a changed picture,
 * delete its files first.
 */
const originals = path.join(import.meta.dirname, 'originals');
const made = path.join(import.meta.dirname, '../public');

const encode = (picture: Sharp, format: 'avif' | 'webp'): Sharp =>
  format === 'avif' ? picture.avif({ quality: 52, effort: 5 }) : picture.webp({ quality: 74, effort: 5, smartSubsample: true });

const makeOne = async (file: string): Promise<void> => {
  const original = path.join(originals, file);
  const address = `/pictures/${file}`;
  await mkdir(path.dirname(path.join(made, address)), { recursive: true });
  await copyFile(original, path.join(made, address));

  for (const width of listWidths(address)) {
    for (const format of ['avif', 'webp'] as const) {
      const target = path.join(made, variantAddress(address, width, format));
      if (!existsSync(target)) await encode(sharp(original).resize({ width, withoutEnlargement: true }), format).toFile(target);
    }
  }
  console.log(address);
};

const files = await readdir(originals, { recursive: true });
for (const file of files.filter((name) => name.endsWith('.webp')).sort()) await makeOne(file);
