import type { ReactNode } from 'react';
import { useFocusWhenLost } from '../../ui/use-focus-when-gone.ts';

type PanelHeadProps = { readonly title: string; readonly count?: string | undefined; readonly children?: ReactNode };

/** Title and tools of a panel. On narrow screens the bar above names the panel, so that the title is there for screen readers only. */
export const PanelHead = ({ title, count, children }: PanelHeadProps) => {
  // A row whose list it has left takes the focus with it.
  const heading = useFocusWhenLost<HTMLHeadingElement>();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="flex items-baseline gap-3 max-xl:sr-only">
        <h2 ref={heading} tabIndex={-1} className="display min-h-10 text-[1.625rem] leading-10 lg:text-[2rem]">
          {title}
        </h2>
        {count !== undefined && <p className="figures text-[0.9375rem] text-clove">{count}</p>}
      </div>
      {children && <div className="flex min-w-0 flex-wrap items-center gap-2 max-lg:w-full lg:ml-auto">{children}</div>}
    </div>
  );
};
