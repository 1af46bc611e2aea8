import { useEffect } from 'react';

/** Names the page in tab, history and screen reader: 'Shop' becomes 'Shop · RUHANI'. */
export const usePageTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · RUHANI`;
  }, [title]);
};
