import { LazyNewsletterForm } from './LazyNewsletterForm.tsx';

type NewsletterBandProps = { readonly title: string; readonly desc: string };

export const NewsletterBand = ({ title, desc }: NewsletterBandProps) => (
  <section aria-labelledby="newsletter" className="on-dark mt-section bg-oxblood text-ivory">
    <div className="page-x grid items-center gap-10 py-16 md:grid-cols-2 md:py-24">
      <div>
        <h2 id="newsletter" className="display text-h1">
          {title}
        </h2>
        <p className="mt-4 max-w-md text-lead text-petal">{desc}</p>
      </div>
      <LazyNewsletterForm submit="Subscribe" busy="Subscribing..." note="Leave whenever you like; every letter has a link." />
    </div>
  </section>
);
