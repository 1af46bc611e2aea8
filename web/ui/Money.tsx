import { cx } from './cx.ts';

/**
 * A large amount from its text ('₹1,00,000.00'). Its figures are serif and its rupee sign is sans-serif, because the latin-ext font of
 * Garamond (114 kB) is not loaded.
 */
export const Money = ({ amount, className }: { readonly amount: string; readonly className?: string }) => {
  const [rupees, paise] = amount.replace('₹', '').split('.');
  return (
    <span className={cx('display figures', className)}>
      <span className="mr-[0.08em] align-[0.08em] font-sans text-[0.68em]">₹</span>
      {rupees}
      {paise !== undefined && <span className="text-[0.62em] text-clove">.{paise}</span>}
    </span>
  );
};
