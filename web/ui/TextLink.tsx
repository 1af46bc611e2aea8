import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { SafeLink } from './SafeLink.tsx';

type Look = { readonly size?: 'sm' | undefined; readonly className?: string | undefined };

const look = ({ size, className }: Look): string =>
  cx('link inline-flex min-h-11 items-center gap-2 font-medium', size === 'sm' ? 'text-[0.875rem]' : 'text-[0.9375rem]', className);

export const TextLink = ({ size, className, ...rest }: Look & ComponentProps<typeof SafeLink>) => (
  <SafeLink {...rest} className={look({ size, className })} />
);

export const TextButton = ({ size, className, ...rest }: Look & ComponentProps<'button'>) => (
  <button type="button" {...rest} className={look({ size, className })} />
);
