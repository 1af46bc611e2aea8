import { Navigate, useLocation } from 'react-router-dom';
import { signInAddress } from '../features/auth/return-path.ts';

/** Leads to the sign-in, and back from there. */
export const SignInRedirect = () => <Navigate to={signInAddress(useLocation())} replace />;
