import { ButtonLink } from '../../../ui/Button.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import type { SiteContent } from '../site-content-types.ts';

export const Promo = ({ promo }: { readonly promo: SiteContent['promo'] }) => (
  <section aria-labelledby="promo" className="page-x pt-section">
    <div className="grid overflow-hidden bg-floral md:grid-cols-[1fr_1.1fr]">
      <div className="flex flex-col justify-center px-6 py-14 md:px-14 lg:px-20">
        <h2 id="promo" className="display text-h1">
          <WithSansRupee text={promo.title} />
        </h2>
        <p className="mt-5 max-w-md text-lead text-clove">{promo.desc}</p>
        <div className="mt-8">
          <ButtonLink to={promo.cta.to}>{promo.cta.text}</ButtonLink>
        </div>
      </div>
      <div className="relative min-h-80 overflow-hidden md:min-h-[30rem]">
        <Picture
          {...promo.image}
          sizes="(min-width: 48rem) max(50vw, 40rem), 100vw"
          className="depth absolute inset-0 size-full object-cover object-[50%_66%]"
        />
      </div>
    </div>
  </section>
);

/** The rupee sign is Figtree's, also in a Garamond heading. */
const WithSansRupee = ({ text }: { readonly text: string }) => {
  const [before, after] = text.split('₹');
  if (after === undefined) return text;
  return (
    <>
      {before}
      <span className="whitespace-nowrap">
        <span className="font-sans text-[0.8em]">₹</span>
        {after}
      </span>
    </>
  );
};
