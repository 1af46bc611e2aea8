import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { pages } from '#domain/pages.ts';

/**
 * The token of a mailed link, '' when there is none. It is taken out of the address as soon as it is read: whoever has it can set the
 * password, so it must not stay in the history, nor go with the next request as its referrer.
 */
export const useResetToken = (): string => {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const given = params.get('token');
  const [token, setToken] = useState(given ?? '');
  // Another link opened over this page.
  if (given !== null && given !== token) setToken(given);

  useEffect(() => {
    if (given !== null) void navigate(pages.resetPassword, { replace: true });
  }, [given, navigate]);
  return token;
};
