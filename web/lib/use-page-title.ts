import { useEffect } from 'react';

/** Sets the document's title: 'Shop' becomes 'Shop · RUHANI'. */
export const usePageTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · RUHANI`;
  }, [title]);
};
