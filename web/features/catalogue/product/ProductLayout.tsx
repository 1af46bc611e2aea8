import type { ReactNode } from 'react';
import { cx } from '../../../ui/cx.ts';

/** The first picture fills the window below banner and header. */
export const firstPicture = 'aspect-4/5 md:aspect-square lg:aspect-auto lg:h-[calc(100svh-7.25rem)] lg:min-h-[44rem]';

type ProductLayoutProps = { readonly pictures: ReactNode; readonly facts: ReactNode; readonly className?: string };

/** The product page and its skeleton share this layout, which has two columns from the lg breakpoint. */
export const ProductLayout = ({ pictures, facts, className }: ProductLayoutProps) => (
  <div className={cx('lg:grid lg:grid-cols-[minmax(0,1.3fr)_minmax(26rem,1fr)]', className)}>
    {pictures}
    <div className="px-gutter pt-8 pb-16 lg:sticky lg:top-20 lg:self-start lg:px-[clamp(2rem,4.5vw,4.5rem)] lg:pt-14">
      <div className="lg:max-w-[36rem]">{facts}</div>
    </div>
  </div>
);
