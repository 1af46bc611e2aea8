import { LazyNewsletterForm } from './LazyNewsletterForm.tsx';

/** The newsletter form below a confirmed order. */
export const ArtisanCircle = () => (
  <section aria-labelledby="artisan-circle" className="on-dark bg-oxblood text-ivory">
    <div className="page-x grid items-center gap-8 py-16 md:grid-cols-2">
      <div>
        <h2 id="artisan-circle" className="display text-h1">
          Join Our Artisan Circle
        </h2>
        <p className="mt-3 max-w-md text-petal">
          Leave your address for our letters from Kannauj, about the harvests and what we make of them.
        </p>
      </div>
      <LazyNewsletterForm submit="Join Now" busy="Joining..." />
    </div>
  </section>
);
