import { useEffect } from 'react';

/** 'Shop' becomes 'Shop · RUHANI'. */
export const usePageTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · RUHANI`;
  }, [title]);
};
