import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';

/**
 * The token of a mailed link, '' when there is none. It is taken out of the address as soon as it is read: whoever has it can do what the
 * link does, so it must not stay in the history, nor go with the next request as its referrer.
 */
export const useLinkToken = (): string => {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const given = params.get('token');
  const [token, setToken] = useState(given ?? '');
  // Another link opened over this page.
  if (given !== null && given !== token) setToken(given);

  useEffect(() => {
    if (given !== null) void navigate(pathname, { replace: true });
  }, [given, navigate, pathname]);
  return token;
};
