import { Navigate, useLocation } from 'react-router-dom';
import { signInAddress } from '../features/auth/return-path.ts';

export const SignInRedirect = () => <Navigate to={signInAddress(useLocation())} replace />;
