import { useDispatch, useSelector } from 'react-redux';
import { textsTypedIn } from '#domain/order/texts.ts';
import { TextArea } from '../../../ui/form/Field.tsx';
import { formTyped, selectCheckoutForm } from './checkout-slice.ts';

/** The boxes of the texts that go with the order and are typed in the cart. */
export const CartTexts = () => {
  const dispatch = useDispatch();
  const form = useSelector(selectCheckoutForm);
  return textsTypedIn('cart').map(({ field, title, limit, placeholder }) => (
    <TextArea
      key={field}
      label={title}
      optional
      rows={3}
      name={field}
      placeholder={placeholder}
      maxLength={limit}
      value={form[field]}
      onChange={({ target }) => dispatch(formTyped({ [field]: target.value }))}
    />
  ));
};
