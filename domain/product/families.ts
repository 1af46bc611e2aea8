import type { ProductCategory } from './events.ts';

type Family = { readonly name: string; readonly line: string };

export const families: Readonly<Record<ProductCategory, Family>> = {
  oud: { name: 'Oud', line: 'Agarwood, smoke and resin. Wear it when the evening is long.' },
  floral: { name: 'Floral', line: 'Flowers of the garden and the night market, picked before they open.' },
  fresh: { name: 'Fresh', line: 'Vetiver, citrus and mountain air, for the hottest hour of the day.' },
  musk: { name: 'Musk', line: 'Clean skin, warm cloth, sandalwood. They stay close.' },
  attar: { name: 'Attar', line: 'Pure oils, no alcohol. A drop on the wrist is enough.' },
};

export const allPerfumes: Family = {
  name: 'All perfumes',
  line: 'Five families, from single-flower attars to Assam oud in numbered batches.',
};
