import { cx } from './cx.ts';

const base =
  'inline-flex items-center justify-center gap-2.5 rounded-xs text-[0.9375rem] font-medium leading-none whitespace-nowrap transition-colors disabled:cursor-not-allowed ' +
  // In forced-colours mode a filled button has no background, so it needs a border.
  'forced-colors:border';

const sizes = {
  /** A screen has at most one large button. */
  lg: 'min-h-13 px-8',
  md: 'min-h-11 px-5.5',
  sm: 'min-h-9 px-3.5 text-xs',
};

const kinds = {
  primary: 'bg-oxblood text-ivory hover:bg-garnet active:bg-garnet disabled:bg-ash disabled:text-clove',
  outline: 'border border-teak text-ink hover:border-ink hover:bg-ink/4 disabled:text-clove disabled:border-sandal',
  light: 'bg-ivory text-ink hover:bg-white',
  ghostDark: 'border border-ivory/55 text-ivory hover:bg-ivory/10 hover:border-ivory',
  quiet: 'text-ink hover:bg-ink/5',
  destructive: 'bg-sindoor text-ivory hover:bg-[#951d13]',
};

export type ButtonLook = {
  readonly kind?: keyof typeof kinds | undefined;
  readonly size?: keyof typeof sizes | undefined;
  readonly className?: string | undefined;
};

export const buttonStyle = ({ kind = 'primary', size = 'md', className }: ButtonLook = {}): string =>
  cx(base, sizes[size], kinds[kind], className);
