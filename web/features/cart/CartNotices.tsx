import { useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Toast } from '../../ui/overlay/Toast.tsx';
import { alertClosed, selectFailedAddition, selectAnnouncement } from './cart-slice.ts';

/** Shows a failed addition on every page, and has the announcements for screen readers. */
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
      {failure !== null && <Toast kind="failure" stays message="Failed to add product to cart" detail={failure} onClose={close} />}
    </>
  );
};
