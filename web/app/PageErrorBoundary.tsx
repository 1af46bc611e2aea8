import { RotateCw, Unplug } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { getReference } from '../lib/http/api.ts';
import { announceFirstPageReady } from '../lib/first-page-ready.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { Button } from '../ui/Button.tsx';
import { buttonStyle } from '../ui/button-style.ts';

/** Catches every error below it: a page that throws while rendering, or a chunk that fails to load. */
export const PageErrorBoundary = ({ children }: { readonly children: ReactNode }) => (
  <Boundary path={useLocation().pathname}>{children}</Boundary>
);

type BoundaryProps = { readonly path: string; readonly children: ReactNode };
type BoundaryState = { readonly path: string; readonly caught: { readonly error: unknown } | undefined };

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override readonly state: BoundaryState = { path: this.props.path, caught: undefined };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { caught: { error } };
  }

  /** Navigation to another page resets the boundary. A `key` would also remount header and footer on every navigation. */
  static getDerivedStateFromProps({ path }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return path === state.path ? null : { path, caught: undefined };
  }

  /** A failed first page counts as ready too, so that the code that waits for it goes on. */
  override componentDidCatch(): void {
    announceFirstPageReady();
  }

  override render(): ReactNode {
    const { caught } = this.state;
    return caught ? <RouteErrorPage error={caught.error} /> : this.props.children;
  }
}

const RouteErrorPage = ({ error }: { readonly error: unknown }) => {
  usePageTitle('Something went wrong');
  const reference = getReference(error);
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
        {/* Both buttons reload the document: client-side navigation cannot repair a broken script or a removed release. */}
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
