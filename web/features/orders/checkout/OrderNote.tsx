import { useDispatch, useSelector } from 'react-redux';
import { orderTexts } from '#domain/order/texts.ts';
import { TextArea } from '../../../ui/form/Field.tsx';
import { noteTyped, selectCheckoutForm } from './checkout-slice.ts';

/** The note that goes with the order, typed in the cart. */
export const OrderNote = () => {
  const dispatch = useDispatch();
  const { note } = useSelector(selectCheckoutForm);
  return (
    <TextArea
      label="Order note"
      optional
      rows={3}
      name="note"
      placeholder="Anything the packing room should know"
      maxLength={orderTexts.note.limit}
      value={note}
      onChange={({ target }) => dispatch(noteTyped(target.value))}
    />
  );
};
