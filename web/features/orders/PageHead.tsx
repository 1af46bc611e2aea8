import type { ReactNode } from 'react';

export const PageHead = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="pt-block pb-8 md:pb-12">
    <h1 className="display text-h1">{title}</h1>
    {children}
  </div>
);
