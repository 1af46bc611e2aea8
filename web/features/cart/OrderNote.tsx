import { useDispatch, useSelector } from 'react-redux';
import { TextArea } from '../../ui/form/Field.tsx';
import { noteChanged, selectNote } from './cart-slice.ts';

export const OrderNote = () => {
  const dispatch = useDispatch();
  const note = useSelector(selectNote);
  return (
    <TextArea
      label="Order note"
      optional
      rows={3}
      name="note"
      placeholder="Anything the packing room should know"
      value={note}
      onChange={({ target }) => dispatch(noteChanged(target.value))}
    />
  );
};
