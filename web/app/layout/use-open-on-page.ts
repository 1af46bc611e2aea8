import { useState } from 'react';
import { useLocation } from 'react-router-dom';

/** Something that opens over a page. It belongs to the page on which it was opened: wherever the shopper goes it closes, and stays closed on the way back. */
export const useOpenOnPage = (): readonly [open: boolean, setOpen: (open: boolean) => void] => {
  const { pathname, search } = useLocation();
  // Not the location's key: that changes with every step of an endless list too.
  const page = pathname + search;
  const [state, setState] = useState({ page, open: false });
  if (state.page !== page) setState({ page, open: false });
  return [state.page === page && state.open, (open) => setState({ page, open })];
};
