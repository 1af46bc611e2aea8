import type { ReactNode } from 'react';

/** The title of a page on which something is done, and what stands under it. */
export const PageHead = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="pt-block pb-8 md:pb-12">
    <h1 className="display text-h1">{title}</h1>
    {children}
  </div>
);
