import { createSrcSet } from '#domain/site/pictures.ts';
import type { CenterHeroContent, HappyCustomer, HeroContent } from '../site-content-types.ts';
import { HappyCustomers } from './HappyCustomers.tsx';
import { HeroActions } from './HeroActions.tsx';
import { HeroSplit } from './HeroSplit.tsx';
import { PORTRAIT, chooseHeroVariant } from './hero-media.ts';

export const Hero = ({ hero }: { readonly hero: HeroContent }) =>
  chooseHeroVariant(hero) === 'center' ? (
    <HeroCenter content={hero.center} happyCustomer={hero.happyCustomer} />
  ) : (
    <HeroSplit content={hero.split} happyCustomer={hero.happyCustomer} />
  );

/** The gradient is behind the text only; in portrait it is also behind the buttons. */
const wash =
  'bg-[linear-gradient(180deg,rgb(30_18_11/.35)_0%,rgb(30_18_11/.2)_34%,rgb(30_18_11/0)_50%,rgb(30_18_11/0)_70%,rgb(30_18_11/.6)_100%)] ' +
  'md:max-lg:landscape:bg-[linear-gradient(90deg,rgb(38_22_13/.8)_0%,rgb(38_22_13/.6)_45%,rgb(38_22_13/0)_80%)] ' +
  'lg:bg-[linear-gradient(90deg,rgb(38_22_13/.72)_0%,rgb(38_22_13/.4)_30%,rgb(38_22_13/0)_52%)]';

type HeroCenterProps = { readonly content: CenterHeroContent; readonly happyCustomer: HappyCustomer };

const HeroCenter = ({ content, happyCustomer }: HeroCenterProps) => (
  <section aria-label="Introduction" className="on-dark relative isolate overflow-hidden bg-[#2c1a10] text-ivory">
    <Background content={content} />
    <div className={`absolute inset-0 -z-1 ${wash}`} />
    <div className="page-x flex min-h-[max(36rem,calc(100svh-7.3125rem))] flex-col justify-between pt-12 pb-10 max-md:min-h-[max(36rem,calc(100svh-6.3125rem))] sideways:min-h-[min(48rem,calc(100svh-7.3125rem))] sideways:justify-center sideways:py-20">
      <div className="max-w-[40rem]">
        <h1 className="display text-display">
          {content.title.map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </h1>
        <p className="mt-5 max-w-[27rem] text-lead text-ivory/90 md:mt-7 md:max-xl:landscape:max-w-[21rem]">{content.subtitle}</p>
      </div>
      <div className="mt-9 md:mt-11">
        <HeroActions primary={content.ctaPrimary} secondary={content.ctaSecondary} onDark />
        <HappyCustomers content={happyCustomer} onDark className="mt-8 md:mt-12 md:max-w-[28rem]" />
      </div>
    </div>
  </section>
);

/** This is a plain `<picture>`, because the portrait picture has another motif and not only another size. */
const Background = ({ content: { backgroundImage: wide, backgroundImageMobile: upright } }: { readonly content: CenterHeroContent }) => (
  <picture>
    {(['avif', 'webp'] as const).map((format) => (
      <source key={format} media={PORTRAIT} type={`image/${format}`} srcSet={createSrcSet(upright.src, format)} sizes="100vw" />
    ))}
    <source type="image/avif" srcSet={createSrcSet(wide.src, 'avif')} sizes="100vw" />
    <img
      src={wide.src}
      srcSet={createSrcSet(wide.src, 'webp')}
      sizes="100vw"
      alt={wide.alt}
      width={wide.width}
      height={wide.height}
      fetchPriority="high"
      decoding="async"
      className="absolute inset-x-0 top-[12%] -z-2 h-[78%] w-full [mask-image:linear-gradient(transparent,black_24%,black_86%,transparent)] object-cover object-[50%_60%] max-[22.5rem]:top-[22%] max-[22.5rem]:h-[68%] sideways:top-0 sideways:h-full sideways:[mask-image:none] sideways:object-[70%_50%]"
    />
  </picture>
);
