import { pages } from '#domain/pages.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Niche } from '../../ui/Niche.tsx';

/** An empty niche and the way on; the sentence is the specification's. */
export const EmptyCart = () => (
  <div className="page-x">
    <div className="mx-auto flex max-w-lg flex-col items-center pt-16 pb-6 text-center md:pt-24">
      <Niche className="h-44 text-gold" strokeWidth={0.6} />
      <h1 tabIndex={-1} className="display mt-9 text-h1 outline-none">
        Your Cart
      </h1>
      <p className="mt-4 text-lead text-clove">Your cart is empty, please click below button to continue shopping...</p>
      <ButtonLink to={pages.home} size="lg" className="mt-8">
        Continue Shopping
      </ButtonLink>
    </div>
  </div>
);
