import { Navigate, useLocation } from 'react-router-dom';
import { signInAddress } from '../features/auth/sign-in-address.ts';

/** Leads to the sign-in, and back from there. Keeps a page's room meanwhile: without it the footer would stand under the header until its script is there. */
export const SignInFirst = () => (
  <div className="min-h-svh">
    <Navigate to={signInAddress(useLocation())} replace />
  </div>
);
