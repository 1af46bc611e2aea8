import { lazy, Suspense } from 'react';
import type { SiteContent } from '../site-content-types.ts';
import { HeroCenter } from './HeroCenter.tsx';

/** Only a shop that chooses it fetches its script. */
const HeroSplit = lazy(async () => ({ default: (await import('./HeroSplit.tsx')).HeroSplit }));

/** The content chooses which of the two. */
export const Hero = ({ hero }: { readonly hero: SiteContent['hero'] }) =>
  hero.variant === 'center' ? (
    <HeroCenter content={hero.center} />
  ) : (
    <Suspense fallback={<div className="min-h-[calc(100svh-7.25rem)] bg-paper" />}>
      <HeroSplit content={hero.split} />
    </Suspense>
  );
