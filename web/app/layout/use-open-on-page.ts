import { useState } from 'react';
import { useLocation } from 'react-router-dom';

/** State of something that opens over a page: navigating away closes it, and it stays closed on the way back. */
export const useOpenOnPage = (): readonly [open: boolean, setOpen: (open: boolean) => void] => {
  const { pathname, search } = useLocation();
  // Not the location's key: that also changes with every step of an endless list.
  const page = pathname + search;
  const [state, setState] = useState({ page, open: false });
  if (state.page !== page) setState({ page, open: false });
  return [state.page === page && state.open, (open) => setState({ page, open })];
};
