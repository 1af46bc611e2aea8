type Format = 'avif' | 'webp';

/** The folder of a picture decides its largest size on a page, so widths are set by folder; the first matching rule applies. */
const rules: readonly { readonly under: string; readonly widths: readonly number[]; readonly formats?: readonly Format[] }[] = [
  { under: 'products/', widths: [120, 240, 360, 480, 640, 800, 1200] },
  { under: 'hero/hero-mobile', widths: [480, 780, 1080] },
  { under: 'hero/cutout', widths: [400, 700, 1000] },
  { under: 'hero/', widths: [800, 1200, 1800, 2400] },
  { under: 'collections/', widths: [240, 480, 800, 1000] },
  { under: 'story/', widths: [480, 800, 1200, 1600] },
  { under: 'social/', widths: [240, 480, 800] },
  { under: 'avatars/', widths: [96, 200] },
  // The server makes these from an uploaded file (api/catalogue/picture-uploads.ts).
  { under: 'uploads/', widths: [240, 480, 800, 1200], formats: ['webp'] },
];

const OWN = /^\/pictures\/([a-z]+\/[a-z0-9-]+)\.webp$/;

const findRule = (address: string) => {
  const name = OWN.exec(address)?.[1];
  return rules.find((rule) => name?.startsWith(rule.under));
};

/** Returns the widths in px of a picture of the shop, narrowest first; empty for pictures of other hosts, which have one size only. */
export const listWidths = (address: string): readonly number[] => findRule(address)?.widths ?? [];

/** Returns the address of a variant: `/pictures/products/ruh-gulab.webp` at 480 px as AVIF is `/pictures/products/ruh-gulab-480.avif`. */
export const variantAddress = (address: string, width: number, format: Format): string => address.replace(/\.webp$/, `-${width}.${format}`);

/** Returns the `srcset` of a picture with width descriptors; undefined for one of another host, and if it does not exist in this format. */
export const createSrcSet = (address: string, format: Format): string | undefined => {
  const { widths, formats = [format] } = findRule(address) ?? { widths: [] };
  if (widths.length === 0 || !formats.includes(format)) return undefined;
  return widths.map((width) => `${variantAddress(address, width, format)} ${width}w`).join(', ');
};

/** The displayed widths of pictures for `sizes`, in the picture itself and in its preload tag, which must agree. */
export const pictureSizes = {
  card: '(min-width:80rem) 23vw, (min-width:48rem) 31vw, 46vw',
  /** In a carousel, a phone shows one card and a fifth of the next, and a tablet a little more than two. */
  rail: '(min-width:64rem) 23vw, (min-width:48rem) 42vw, 80vw',
  /** Three pictures stand side by side; on a phone they are in a carousel. */
  third: '(min-width:48rem) 30vw, 80vw',
  product: '(min-width:64rem) 58vw, 100vw',
} as const;

/** The home page shows either one picture or rotating bottles as its hero. */
export const heroes = ['center', 'split'] as const;
export type HeroVariant = (typeof heroes)[number];
