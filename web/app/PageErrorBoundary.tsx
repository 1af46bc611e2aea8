import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { announcePageStands } from '../lib/page-stands.ts';
import { RouteErrorPage } from './RouteErrorPage.tsx';

/** Any routing error ends here: a page that threw, or whose script did not come. */
export const PageErrors = ({ children }: { readonly children: ReactNode }) => <Boundary path={useLocation().pathname}>{children}</Boundary>;

type BoundaryProps = { readonly path: string; readonly children: ReactNode };
type BoundaryState = { readonly path: string; readonly caught: { readonly error: unknown } | undefined };

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override readonly state: BoundaryState = { path: this.props.path, caught: undefined };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { caught: { error } };
  }

  /** Another page is another try. Not by a key: what is around the page would begin anew with each step. */
  static getDerivedStateFromProps({ path }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return path === state.path ? null : { path, caught: undefined };
  }

  /** It stands as well as it will: what has waited for the first page goes on. */
  override componentDidCatch(): void {
    announcePageStands();
  }

  override render(): ReactNode {
    const { caught } = this.state;
    return caught ? <RouteErrorPage error={caught.error} /> : this.props.children;
  }
}
