import type { ReactNode } from 'react';

type PanelHeadProps = { readonly title: string; readonly count?: string | undefined; readonly children?: ReactNode };

export const PanelHead = ({ title, count, children }: PanelHeadProps) => (
  <div className="flex flex-wrap items-center justify-between gap-4">
    <div className="flex items-baseline gap-3">
      {/* The heading takes the focus when the last row below it is removed. */}
      <h2 tabIndex={-1} className="display text-h2">
        {title}
      </h2>
      {count !== undefined && <p className="figures text-[0.9375rem] text-clove">{count}</p>}
    </div>
    {children && <div className="flex w-full flex-wrap items-center gap-3 sm:w-auto">{children}</div>}
  </div>
);
