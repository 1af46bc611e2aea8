import { randomBytes } from 'node:crypto';

import { productId, type ProductId } from '#domain/shared/ids.ts';

const LONGEST_SLUG = 50;
const WITHOUT_A_LETTER = 'perfume';

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^0-9a-z]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, '') || WITHOUT_A_LETTER;

/** The id of a new product, which is also its address: from its name, with a random suffix if that was taken before. */
export const idFor = (name: string, isTaken: boolean): ProductId =>
  productId(isTaken ? `${slugOf(name)}-${randomBytes(4).toString('hex')}` : slugOf(name));
