import { invalid, HttpError } from '../http/http-error.ts';

const retryAfter = (ms: number) => ({ 'Retry-After': String(Math.max(1, Math.ceil(ms / 1_000))) });

export const emailTaken = () => new HttpError({ status: 409, code: 'email_taken', message: 'Email already registered' });
export const wrongCredentials = () => new HttpError({ status: 401, code: 'wrong_credentials', message: 'Invalid email or password' });
/** The error is sent only after the right password. */
export const notVerified = (userId: string) =>
  new HttpError({ status: 403, code: 'email_not_verified', message: 'Please verify your email', details: { userId } });
export const disabled = () =>
  new HttpError({ status: 403, code: 'account_disabled', message: 'This account is closed. Please write to us.' });

export const wrongCode = () => new HttpError({ status: 400, code: 'invalid_otp', message: 'Invalid OTP' });
export const codeExpired = () => new HttpError({ status: 400, code: 'otp_expired', message: 'OTP expired' });
export const codeBurnt = (ms: number) =>
  new HttpError({ status: 429, code: 'otp_burnt', message: 'Too many wrong codes. Please ask for a new one.', headers: retryAfter(ms) });
export const codeTooSoon = (ms: number) =>
  new HttpError({
    status: 429,
    code: 'otp_too_soon',
    message: 'Please wait a minute before asking for another code',
    headers: retryAfter(ms),
  });
export const registrationReplaced = () =>
  new HttpError({
    status: 409,
    code: 'registration_replaced',
    message: 'Somebody signed up with this address again. Please sign up once more.',
  });

export const badResetToken = () => invalid('This link is not valid any more. Please ask for a new one.');

export const badIdToken = () => new HttpError({ status: 401, code: 'invalid_token', message: 'Google login failed' });
export const mustSignInFirst = () =>
  new HttpError({ status: 401, code: 'not_linked', message: 'Google login failed. Please sign in with your password.' });
/** The account is joined to the third party on its own page. */
export const notJoined = () => new HttpError({ status: 409, code: 'not_joined', message: 'Sign in with your password first' });
