import { RotateCw, Unplug } from 'lucide-react';
import { referenceOf } from '../lib/api.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { buttonStyle } from '../ui/button-style.ts';
import { Button } from '../ui/Button.tsx';

/** What stands in the place of a page that threw, or whose script did not come. */
export const RouteErrorPage = ({ error }: { readonly error: unknown }) => {
  usePageTitle('Something went wrong');
  const reference = referenceOf(error);
  return (
    <div className="page-x flex flex-col items-center pt-16 pb-section text-center md:pt-24">
      <span className="inline-flex size-16 items-center justify-center rounded-full bg-sindoor-wash text-sindoor">
        <Unplug className="size-7" strokeWidth={1.4} />
      </span>
      <h1 className="display mt-8 text-h1">Something went wrong</h1>
      <p className="mt-4 max-w-md text-lead text-clove">
        This page stopped before it was drawn. Nothing you did is lost; your cart is kept.
      </p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        {/* Loaded anew, both of them: a script that broke, or a version of the shop that is gone, is not mended by going on in it. */}
        <Button size="lg" onClick={() => location.reload()}>
          <RotateCw className="size-4" strokeWidth={1.5} />
          Try again
        </Button>
        <a href="/" className={buttonStyle({ kind: 'outline', size: 'lg' })}>
          Go Back Home
        </a>
      </div>
      {reference && <p className="mt-8 text-xs text-clove">Reference {reference}</p>}
    </div>
  );
};
