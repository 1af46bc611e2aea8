import { Navigate, useLocation } from 'react-router-dom';
import { signInAddress } from '../features/auth/return-path.ts';

/** Redirects to the sign-in page, which leads back here. */
export const SignInRedirect = () => <Navigate to={signInAddress(useLocation())} replace />;
