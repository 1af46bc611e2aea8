import { invalid, HttpError } from '../http/http-error.ts';

const retryAfter = (ms: number) => ({ 'Retry-After': String(Math.max(1, Math.ceil(ms / 1_000))) });

export const emailTaken = () => new HttpError({ status: 409, code: 'email_taken', message: 'Email already registered' });
export const wrongCredentials = () => new HttpError({ status: 401, code: 'wrong_credentials', message: 'Invalid email or password' });
/** The error is sent only after the right password. */
export const notVerified = (userId: string) =>
  new HttpError({ status: 403, code: 'email_not_verified', message: 'Please verify your email', details: { userId } });
export const disabled = () =>
  new HttpError({ status: 403, code: 'account_disabled', message: 'This account is closed. Please write to us.' });

/** Staff neither export nor erase each other's data. */
export const isStaff = () =>
  new HttpError({
    status: 409,
    code: 'is_staff',
    message: 'This account belongs to the staff. An owner takes its roles away first.',
  });

export const wrongPassword = () => new HttpError({ status: 403, code: 'wrong_password', message: 'Wrong password' });

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

export const wrongSecondFactor = () => new HttpError({ status: 401, code: 'wrong_code', message: 'Wrong code' });
export const loginExpired = () =>
  new HttpError({
    status: 401,
    code: 'login_expired',
    message: 'This sign-in took too long or had too many wrong codes. Please sign in again.',
  });
export const secondFactorActive = () =>
  new HttpError({ status: 409, code: 'second_factor_active', message: 'The second factor is on already' });
export const secondFactorInactive = () =>
  new HttpError({ status: 409, code: 'second_factor_inactive', message: 'The second factor is not on. Please begin again.' });

export const badResetToken = () => invalid('This link is not valid any more. Please ask for a new one.');

export const badEmailLink = () => invalid('This link is not valid any more. Please write to us if your address was changed without you.');
export const badInvitation = () => invalid('This invitation is not valid any more. Please ask the owner of the shop for a new one.');
/** Only a caller who has the invitation's link learns that the address has an account. */
export const mustSignInToJoin = () =>
  new HttpError({
    status: 401,
    code: 'sign_in_to_join',
    message: 'There is an account with this address. Sign in with it, then open the link again.',
  });
export const invitationOfAnother = () =>
  new HttpError({
    status: 403,
    code: 'invitation_of_another',
    message: 'This invitation was sent to another address. Sign out, then open the link again.',
  });

export const badIdToken = () => new HttpError({ status: 401, code: 'invalid_token', message: 'Google login failed' });
export const mustSignInFirst = () =>
  new HttpError({ status: 401, code: 'not_linked', message: 'Google login failed. Please sign in with your password.' });
/** The page of an account joins the Google account of its address, and must not change to another account. */
export const anotherGoogleAccount = () =>
  new HttpError({
    status: 409,
    code: 'another_account',
    message: 'That Google account has another e-mail address than your account here. Please choose the one with your address.',
  });
/** The account is joined to the third party on its own page. */
export const notJoined = () => new HttpError({ status: 409, code: 'not_joined', message: 'Sign in with your password first' });
