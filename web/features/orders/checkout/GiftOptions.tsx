import { Gift } from 'lucide-react';
import { useId } from 'react';
import { LONGEST_GIFT_MESSAGE, type CheckoutForm } from '#domain/order/checkout-form.ts';
import { GIFT_WRAP_FEE } from '#domain/order/totals.ts';
import { formatRupees } from '#domain/shared/money.ts';
import { Checkbox } from '../../../ui/form/Choice.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';

type Gifts = Pick<CheckoutForm, 'giftWrap' | 'giftMessage'>;

type GiftOptionsProps = {
  readonly value: Gifts;
  readonly error: string | undefined;
  readonly onChange: (gifts: Gifts) => void;
};

/** The message goes with a wrapped parcel and with one that is not. */
export const GiftOptions = ({ value, error, onChange }: GiftOptionsProps) => {
  const detail = useId();
  return (
    <div className="flex flex-col gap-x-7 gap-y-5 bg-paper p-6 sm:flex-row sm:p-8">
      <Gift className="hidden size-7 text-gold-deep sm:block" strokeWidth={1.2} />
      <div className="-mt-2.5 min-w-0 flex-1">
        <Checkbox
          name="giftWrap"
          label={<span className="font-medium">Gift wrap</span>}
          trail={<span className="figures">{formatRupees(GIFT_WRAP_FEE)}</span>}
          aria-describedby={detail}
          checked={value.giftWrap}
          onChange={({ target }) => onChange({ ...value, giftWrap: target.checked })}
        />
        <p id={detail} className="-mt-1.5 pl-8 text-[0.875rem] text-clove">
          Handmade cotton paper and silk thread. The slip inside shows no prices.
        </p>
        <TextArea
          label="Gift message"
          name="giftMessage"
          optional
          rows={3}
          maxLength={LONGEST_GIFT_MESSAGE}
          value={value.giftMessage}
          error={error}
          hint={`${value.giftMessage.length} / ${LONGEST_GIFT_MESSAGE}`}
          onChange={({ target }) => onChange({ ...value, giftMessage: target.value })}
          className="figures mt-5 *:last:text-right"
        />
      </div>
    </div>
  );
};
