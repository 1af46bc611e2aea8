import { type UIEvent, useState } from 'react';
import { pictureSizes } from '#domain/site/pictures.ts';
import type { ProductView } from '#domain/product/view.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { Picture } from '../../../ui/Picture.tsx';
import { cx } from '../../../ui/cx.ts';
import { firstPicture } from './ProductLayout.tsx';

const alts: Readonly<Record<string, string>> = {
  'oud-saffron-majlis':
    'Oud Saffron Majlis: chamfered square bottle on dark stone in a smoky umber niche, with agarwood chips and saffron threads and a ribbon of smoke',
  'oud-saffron-majlis-2': 'Oud Saffron Majlis seen closer and from the side, showing label and glass',
  'assam-oud-noir': 'Assam Oud Noir: hexagonal bottle on dark stone in a smoky umber niche, with agarwood chips and a ribbon of smoke',
  'rose-oud-nawab': 'Rose Oud Nawab: arch-shaped bottle on dark stone in a smoky umber niche, with roses and petals and agarwood chips',
  'rose-oud-nawab-2': 'Rose Oud Nawab seen closer and from the side, showing label and glass',
  'chai-and-agarwood': 'Chai & Agarwood: domed apothecary bottle on dark stone in a smoky umber niche, with agarwood chips and split wood',
  'amber-oud-haveli':
    'Amber Oud Haveli: round flacon with a sphere stopper on dark stone in a smoky umber niche, with amber resin and agarwood chips and a ribbon of smoke',
  'sufi-sandal-oud': 'Sufi Sandal Oud: tall cylindrical bottle on dark stone in a smoky umber niche, with split wood and a ribbon of smoke',
  'mogra-at-dusk': 'Mogra at Dusk: arch-shaped bottle on a blush plaster plinth in an arched niche, with jasmine flowers',
  'mogra-at-dusk-2': 'Mogra at Dusk seen closer and from the side, showing label and glass',
  'gulab-bagh': 'Gulab Bagh: round moon-flask bottle on a blush plaster plinth in an arched niche, with roses and petals',
  'gulab-bagh-2': 'Gulab Bagh seen closer and from the side, showing label and glass',
  'kamal-pool': 'Kamal Pool: round flacon with a sphere stopper on a blush plaster plinth in an arched niche, with lotus petals',
  'champa-courtyard': 'Champa Courtyard: chamfered square bottle on a blush plaster plinth in an arched niche, with white roses',
  'rajnigandha-letter':
    'Rajnigandha Letter: tall cylindrical bottle on a blush plaster plinth in an arched niche, with white roses and jasmine flowers',
  'marigold-mandap': 'Marigold Mandap: hexagonal bottle on a blush plaster plinth in an arched niche, with marigold petals',
  'vetiver-monsoon':
    'Vetiver Monsoon: tall cylindrical bottle on pale stone in a sage-green niche with water drops, with tied vetiver root',
  'vetiver-monsoon-2': 'Vetiver Monsoon seen closer and from the side, showing label and glass',
  'neroli-verandah':
    'Neroli Verandah: chamfered square bottle on pale stone in a sage-green niche with water drops, with white blossom and citrus leaves',
  'konkan-lime': 'Konkan Lime: round moon-flask bottle on pale stone in a sage-green niche with water drops, with citrus fruit and leaves',
  'pudina-garden': 'Pudina Garden: domed apothecary bottle on pale stone in a sage-green niche with water drops, with mint leaves',
  'deodar-mist': 'Deodar Mist: hexagonal bottle on pale stone in a sage-green niche with water drops, with smooth stones',
  'bergamot-ghat': 'Bergamot Ghat: arch-shaped bottle on pale stone in a sage-green niche with water drops, with citrus fruit and leaves',
  'ivory-musk': 'Ivory Musk: round moon-flask bottle on a travertine block among ivory silk, with smooth stones',
  'pashmina-musk': 'Pashmina Musk: arch-shaped bottle on a travertine block among ivory silk, with sandalwood sticks',
  'pashmina-musk-2': 'Pashmina Musk seen closer and from the side, showing label and glass',
  'sandal-musk-silk': 'Sandal Musk Silk: tall cylindrical bottle on a travertine block among ivory silk, with sandalwood sticks',
  'ambrette-skin': 'Ambrette Skin: chamfered square bottle on a travertine block among ivory silk, with ambrette seeds',
  'rose-musk-veil': 'Rose Musk Veil: round flacon with a sphere stopper on a travertine block among ivory silk, with roses and petals',
  'musk-raat': 'Musk Raat: domed apothecary bottle on a travertine block among ivory silk, with smooth stones',
  'ruh-gulab':
    'Ruh Gulab: cut-crystal attar bottle with a faceted stopper on a brass tray over deep velvet, with brass beads and roses and petals',
  'ruh-gulab-2': 'Ruh Gulab seen closer and from the side, showing label and glass',
  'mitti-after-rain': 'Mitti After Rain: domed apothecary bottle on a brass tray over deep velvet, with clay cups',
  'mitti-after-rain-2': 'Mitti After Rain seen closer and from the side, showing label and glass',
  'ruh-khus': 'Ruh Khus: slim attar phial with an onion-dome gold stopper on a brass tray over deep velvet, with tied vetiver root',
  'shamama-darbar':
    'Shamama Darbar: cut-crystal attar bottle with a faceted stopper on a brass tray over deep velvet, with cardamom and bark and saffron threads',
  'shamama-darbar-2': 'Shamama Darbar seen closer and from the side, showing label and glass',
  'motia-moonlight':
    'Motia Moonlight: slim attar phial with an onion-dome gold stopper on a brass tray over deep velvet, with jasmine flowers',
  'kesar-chandan':
    'Kesar Chandan: round flacon with a sphere stopper on a brass tray over deep velvet, with saffron threads and brass beads',
};

const OWN = /^\/pictures\/products\/([a-z0-9-]+)\.webp$/;

const describePicture = (address: string | undefined, name: string): string => alts[OWN.exec(address ?? '')?.[1] ?? ''] ?? name;

/** A swipeable row on phones and tablets; a column from the lg breakpoint. */
export const Gallery = ({ product: { name, category, productImageUrl } }: { readonly product: ProductView }) => {
  const [first, ...others] = productImageUrl;
  const [slide, setSlide] = useState(0);
  const isWide = useMedia('(min-width: 64rem)');
  const slides = others.length + 1;
  const onScroll = ({ currentTarget: { scrollLeft, clientWidth } }: UIEvent): void => setSlide(Math.round(scrollLeft / clientWidth));
  return (
    // The shorter column is sticky, so that it stays in view.
    <div className="lg:sticky lg:top-20 lg:self-start">
      <section
        aria-label={`Pictures of ${name}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- where it scrolls, the arrow keys must be able to scroll it
        tabIndex={!isWide && slides > 1 ? 0 : undefined}
        onScroll={onScroll}
        className="no-bar flex snap-x snap-mandatory overflow-x-auto bg-paper -outline-offset-2 lg:block lg:overflow-visible lg:bg-transparent"
      >
        <Picture
          src={first}
          alt={describePicture(first, name)}
          sizes={pictureSizes.product}
          priority
          family={category}
          className={cx('w-full shrink-0 snap-start object-cover', firstPicture)}
        />
        {others.map((address) => (
          <Picture
            key={address}
            src={address}
            alt={describePicture(address, name)}
            sizes={pictureSizes.product}
            family={category}
            className="aspect-4/5 w-full shrink-0 snap-start object-cover md:aspect-square lg:mt-2 lg:aspect-5/4"
          />
        ))}
      </section>
      {slides > 1 && <Marks slides={slides} slide={slide} />}
    </div>
  );
};

const Marks = ({ slides, slide }: { readonly slides: number; readonly slide: number }) => (
  <div aria-hidden="true" className="flex items-center justify-center gap-2 pt-4 lg:hidden">
    {Array.from({ length: slides }, (_, index) => (
      <span key={index} className={cx('w-6', index === slide ? 'h-[2px] bg-ink' : 'h-px bg-teak')} />
    ))}
  </div>
);
