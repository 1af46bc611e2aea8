import { useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Toast } from '../../ui/overlay/Toast.tsx';
import { alertClosed, selectFailedAddition, selectAnnouncement } from './cart-slice.ts';

/** What the cart says on whatever page the shopper is: that something could not be added, and for those who hear the page what was done. */
export const CartNotices = () => {
  const dispatch = useDispatch();
  const failure = useSelector(selectFailedAddition);
  const { count, text } = useSelector(selectAnnouncement);
  const close = useCallback(() => dispatch(alertClosed()), [dispatch]);
  return (
    <>
      <output className="sr-only">
        <span key={count}>{text}</span>
      </output>
      {failure && <Toast kind="failure" stays message="Failed to add product to cart" detail={failure.sentence} onClose={close} />}
    </>
  );
};
