import { Niche } from '../Niche.tsx';

/** Dims the page while something must not be interrupted, and says what. */
export const BusyOverlay = ({ children }: { readonly children: string }) => (
  <div role="status" className="fixed inset-0 z-50 flex animate-fade flex-col items-center justify-center gap-5 bg-ivory/88">
    <Niche className="h-24 text-gold" height={88} drop="falling" strokeWidth={0.9} />
    <p className="display text-h3">{children}</p>
  </div>
);
