import { useState } from 'react';
import { useLocation } from 'react-router-dom';

/** State of an overlay that navigation closes. It stays closed on the way back. */
export const useOpenOnPage = (): readonly [open: boolean, setOpen: (open: boolean) => void] => {
  const { pathname, search } = useLocation();
  // The location's key would not do: it also changes with every step of an endless list.
  const page = pathname + search;
  const [state, setState] = useState({ page, open: false });
  if (state.page !== page) setState({ page, open: false });
  return [state.page === page && state.open, (open) => setState({ page, open })];
};
