import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { SafeLink } from './SafeLink.tsx';

const look = 'link inline-flex min-h-11 items-center gap-2 text-[0.9375rem] font-medium';

export const TextLink = ({ className, ...rest }: ComponentProps<typeof SafeLink>) => <SafeLink {...rest} className={cx(look, className)} />;

export const TextButton = ({ className, ...rest }: ComponentProps<'button'>) => (
  <button type="button" {...rest} className={cx(look, className)} />
);
