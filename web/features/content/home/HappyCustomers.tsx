import { Picture } from '../../../ui/Picture.tsx';
import { cx } from '../../../ui/cx.ts';
import type { HappyCustomer } from '../site-content-types.ts';

type HappyCustomersProps = { readonly content: HappyCustomer; readonly className: string; readonly onDark?: boolean };

/** The number of customers with portraits, shown in both heroes. */
export const HappyCustomers = ({ content: { profiles, text, detail }, className, onDark = false }: HappyCustomersProps) => (
  <div className={cx('flex flex-wrap items-center gap-x-4 gap-y-3', className)}>
    <div className="flex shrink-0 gap-1">
      {profiles.map(({ id, imageUrl }) => (
        <Picture key={id} src={imageUrl} alt="" width={200} height={200} sizes="40px" className="size-10 rounded-full" />
      ))}
    </div>
    <p className="min-w-40 flex-1 text-[0.9375rem] leading-snug">
      <span className="font-medium">{text}</span>
      <br />
      <span className={onDark ? 'text-ivory/90' : 'text-clove'}>{detail}</span>
    </p>
  </div>
);
