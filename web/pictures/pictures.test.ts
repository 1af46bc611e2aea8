import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { variantAddress, listWidths } from '#domain/site/pictures.ts';

const here = import.meta.dirname;
const originals = readdirSync(path.join(here, 'originals'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.webp'));

const addressesOf = (file: string): string[] => {
  const address = `/pictures/${file.split(path.sep).join('/')}`;
  const variants = listWidths(address).flatMap((width) => [variantAddress(address, width, 'avif'), variantAddress(address, width, 'webp')]);
  return [address].concat(variants);
};

test('every picture was made in every width and format that a page may ask for', () => {
  const wanted = originals.flatMap(addressesOf);
  expect(wanted.filter((address) => !existsSync(path.join(here, '../public', address)))).toEqual([]);
  expect(wanted.length).toBeGreaterThan(500);
});
