import { useDispatch } from 'react-redux';
import { TakeBackEmailPage } from '../../features/account/TakeBackEmailPage.tsx';
import { loggedOut } from '../../features/auth/auth-slice.ts';

/** The server ends every session of the account, maybe this one too. */
export const TakeBackEmailScreen = () => {
  const dispatch = useDispatch();
  return <TakeBackEmailPage onTakenBack={() => dispatch(loggedOut())} />;
};
