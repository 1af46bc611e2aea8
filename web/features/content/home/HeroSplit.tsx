import { Pause, Play } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { IconButton } from '../../../ui/IconButton.tsx';
import { NicheClip } from '../../../ui/Niche.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { useAutoAdvance } from '../../../ui/carousel/use-auto-advance.ts';
import { cx } from '../../../ui/cx.ts';
import type { HappyCustomer, NicheColours, Signature, SplitHeroContent } from '../site-content-types.ts';
import { HappyCustomers } from './HappyCustomers.tsx';
import { HeroActions } from './HeroActions.tsx';
import { BOTTLE_SIZES } from './hero-media.ts';

const ROTATES_EVERY_MS = 3000;

const column = 'mx-auto w-full sm:max-w-[24rem] lg:max-w-[clamp(18rem,calc((100svh-17rem)*58/78),31rem)]';

/** The niche gives way, so that the whole hero stands in the first screen of a usual phone or notebook. */
const nicheColumn = cx(column, 'max-w-[clamp(9rem,calc((100svh-36.5rem)*58/78),17.5rem)]');

type HeroSplitProps = { readonly content: SplitHeroContent; readonly happyCustomer: HappyCustomer };

/** Shows the text at the left and the signature bottles in rotation at the right, each in a niche of its family's colour. */
export const HeroSplit = ({ content, happyCustomer }: HeroSplitProps) => {
  const [firstLine, ...others] = content.title;
  return (
    <section aria-label="Introduction" className="overflow-hidden bg-paper">
      <div className="page-x grid items-center gap-x-10 gap-y-4 pt-5 pb-6 md:grid-cols-[1.05fr_1fr] md:py-16 lg:min-h-[min(46rem,calc(100svh-7.3125rem))] lg:py-10">
        <div className="max-md:order-2">
          <h1 className="display text-display">
            <span className="block">{firstLine}</span>
            {others.map((line) => (
              <em key={line} className="block">
                {line}
              </em>
            ))}
          </h1>
          <p className="mt-4 max-w-[28rem] md:mt-6 text-lead text-clove">{content.subtitle}</p>
          <div className="mt-6 md:mt-9">
            <HeroActions primary={content.ctaPrimary} secondary={content.ctaSecondary} />
          </div>
          <HappyCustomers content={happyCustomer} className="mt-6 md:mt-12" />
        </div>
        <Signatures signatures={content.foregroundImage} />
      </div>
    </section>
  );
};

const Signatures = ({ signatures }: { readonly signatures: readonly Signature[] }) => {
  const group = useRef<HTMLDivElement>(null);
  const clip = useId();
  const [turn, setTurn] = useState(0);
  const current = signatures[turn];
  const advance = (): void => setTurn((current) => (current + 1) % signatures.length);
  const { playing, toggle } = useAutoAdvance(group, advance, { ms: ROTATES_EVERY_MS, enabled: signatures.length > 1 });

  return (
    <div ref={group} role="group" aria-roledescription="carousel" aria-label="Signature bottles">
      <NicheClip id={clip} />
      <div className={cx('relative aspect-[58/78]', nicheColumn)}>
        <div className="absolute inset-0" style={{ clipPath: `url(#${clip})` }}>
          {signatures.map((signature, index) => (
            <SignatureNiche key={signature.id} signature={signature} current={index === turn} first={index === 0} />
          ))}
        </div>
        <NicheFrame />
      </div>
      <div className={cx('mt-2 flex max-w-[17.5rem] items-center justify-between md:mt-7', column)}>
        <p className="display text-lg">
          {current && (
            <Link to={`/product/${current.id}`} className="inline-flex min-h-11 items-center hover:text-oxblood">
              {current.name}
            </Link>
          )}
        </p>
        <div className="flex items-center gap-1">
          <span aria-hidden="true" className="flex items-center gap-2 pr-2">
            {signatures.map(({ id }, index) => (
              <span key={id} className={cx('w-6', index === turn ? 'h-[2px] bg-ink' : 'h-px bg-teak')} />
            ))}
          </span>
          <IconButton
            icon={playing ? Pause : Play}
            label={playing ? 'Pause rotation' : 'Play rotation'}
            iconClass="size-[1.125rem]"
            onClick={toggle}
          />
        </div>
      </div>
    </div>
  );
};

const NicheFrame = () => (
  <svg className="absolute -inset-[3.2%] h-[106.4%] w-[106.4%] text-gold" viewBox="17 6 62 82" fill="none" aria-hidden="true">
    <path
      d="M19 86L77 86L77 47.36C77 30.96 65.4 27.68 57.86 21.12C52.93 17.43 49.74 13.74 48 8C46.26 13.74 43.07 17.43 38.14 21.12C30.6 27.68 19 30.96 19 47.36Z"
      stroke="currentColor"
      strokeWidth=".28"
    />
  </svg>
);

/** The niche's outline (58 × 78), and inside it the smaller arch of its back wall. */
const ARCH =
  'M19 90L77 90L77 47.36C77 30.96 65.4 27.68 57.86 21.12C52.93 17.43 49.74 13.74 48 8C46.26 13.74 43.07 17.43 38.14 21.12C30.6 27.68 19 30.96 19 47.36Z';

/** The bottles are stacked; only the current one is visible, and changes cross-fade. */
const SignatureNiche = ({
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
