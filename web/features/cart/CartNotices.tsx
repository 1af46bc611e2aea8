import { useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Toast } from '../../ui/overlay/Toast.tsx';
import { alertClosed, leftOutSeen, selectAnnouncement, selectFailedAddition, selectLeftOut } from './cart-slice.ts';

/** Shows on every page a failed addition and the lines that did not fit at sign-in. Has the announcements for screen readers. */
export const CartNotices = () => {
  const dispatch = useDispatch();
  const failure = useSelector(selectFailedAddition);
  const leftOut = useSelector(selectLeftOut);
  const { count, text } = useSelector(selectAnnouncement);
  const close = useCallback(() => dispatch(alertClosed()), [dispatch]);
  return (
    <>
      <output className="sr-only">
        <span key={count}>{text}</span>
      </output>
      {failure !== null && <Toast kind="failure" stays message="Failed to add product to cart" detail={failure} onClose={close} />}
      {failure === null && leftOut.length > 0 && (
        <Toast
          kind="failure"
          stays
          message="Not everything fitted into your cart"
          detail={`Your cart had no room for ${leftOut.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')}. Order what is in it first, then add the rest again.`}
          onClose={() => dispatch(leftOutSeen())}
        />
      )}
    </>
  );
};
