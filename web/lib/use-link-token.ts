import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';

/**
 * Returns the token of a link from a mail, or '' without one. The token is removed from the URL at once: anybody who has it can use the
 * link, so it must not stay in the history or in a referrer.
 */
export const useLinkToken = (): string => {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const given = params.get('token');
  const [token, setToken] = useState(given ?? '');
  // The shopper opened another link in this page.
  if (given !== null && given !== token) setToken(given);

  useEffect(() => {
    if (given !== null) void navigate(pathname, { replace: true });
  }, [given, navigate, pathname]);
  return token;
};
