import { useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { formChanged, selectAuth } from '../../features/auth/auth-slice.ts';
import { Popup } from '../../ui/Popup.tsx';

/** Whoever is still signed in after something went wrong wanted to leave, and must know that they did not. Stays until it is read. */
export const LogoutNotice = () => {
  const dispatch = useDispatch();
  const { user, error } = useSelector(selectAuth);
  const close = useCallback(() => dispatch(formChanged()), [dispatch]);
  return user && error !== null && <Popup kind="failure" stays message={error} onClose={close} />;
};
