import { useId } from 'react';
import { Picture } from '../../../ui/Picture.tsx';
import { cx } from '../../../ui/cx.ts';
import type { NicheColours, Signature } from '../site-content-types.ts';
import { BOTTLE_SIZES } from './hero-media.ts';

/** The 58 × 78 of the niche, and inside it the smaller arch of its back wall. */
const ARCH =
  'M19 90L77 90L77 47.36C77 30.96 65.4 27.68 57.86 21.12C52.93 17.43 49.74 13.74 48 8C46.26 13.74 43.07 17.43 38.14 21.12C30.6 27.68 19 30.96 19 47.36Z';

/** A bottle in its family's niche. All stand on top of each other; only the current one can be seen, and they cross-fade. */
export const SignatureNiche = ({
  signature,
  current,
  first,
}: {
  readonly signature: Signature;
  readonly current: boolean;
  readonly first: boolean;
}) => (
  <div
    aria-hidden={!current}
    className={cx('absolute inset-0 transition-opacity duration-600 ease-settle motion-reduce:transition-none', !current && 'opacity-0')}
  >
    <Room colours={signature.colours} />
    <Picture
      {...signature.picture}
      sizes={BOTTLE_SIZES}
      priority={first}
      className="absolute inset-x-0 bottom-[6%] mx-auto h-[70%] w-auto object-contain"
    />
  </div>
);

/** Wall, back wall, floor, slab and the shadows that the bottle throws. */
const Room = ({ colours }: { readonly colours: NicheColours }) => {
  const id = useId();
  return (
    <svg viewBox="0 0 58 78" className="absolute inset-0 size-full" aria-hidden="true">
      <defs>
        <linearGradient id={`${id}wall`} x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor={colours.wall} />
          <stop offset="1" stopColor={colours.floor} />
        </linearGradient>
        <linearGradient id={`${id}deep`}>
          <stop offset="0" stopColor={colours.deep} />
          <stop offset=".7" stopColor={colours.wall} />
        </linearGradient>
        <linearGradient id={`${id}slab`}>
          <stop offset="0" stopColor={colours.slabTop} />
          <stop offset="1" stopColor={colours.slab} />
        </linearGradient>
        <radialGradient id={`${id}shade`}>
          <stop offset="0" stopColor="#120a06" stopOpacity=".55" />
          <stop offset="1" stopColor="#120a06" stopOpacity="0" />
        </radialGradient>
      </defs>
      <rect width="58" height="78" fill={`url(#${id}wall)`} />
      <path transform="translate(29 13.5) scale(.74 .8) translate(-48 -8)" d={ARCH} fill={`url(#${id}deep)`} />
      <rect y="67" width="58" height="11" fill={colours.floor} />
      <ellipse cx="30" cy="75.2" rx="25" ry="3" fill={`url(#${id}shade)`} />
      <path d="M9 69.6v4.2a20 2.7 0 0 0 40 0v-4.2z" fill={`url(#${id}slab)`} />
      <ellipse cx="29" cy="69.6" rx="20" ry="2.7" fill={colours.slabTop} />
      <ellipse cx="30" cy="70" rx="12.5" ry="1.5" fill={`url(#${id}shade)`} />
    </svg>
  );
};
