import { useLayoutEffect } from 'react';
import { useNavigate } from 'react-router-dom';

type Navigate = (to: string) => void | Promise<void>;

/** What sagas navigate by: the router belongs to React, and they do not. */
export type Helm = { readonly navigate: Navigate; readonly handTo: (router: Navigate) => void };

/** Until the router stands, an address is gone to as the browser does. */
export const createHelm = (): Helm => {
  let steer: Navigate = (to) => location.assign(to);
  return {
    navigate: (to) => steer(to),
    handTo: (router) => {
      steer = router;
    },
  };
};

/** Inside the router: puts it at the helm. */
export const AtTheHelm = ({ helm }: { readonly helm: Helm }) => {
  const navigate = useNavigate();
  useLayoutEffect(() => helm.handTo((to) => navigate(to)), [helm, navigate]);
  return null;
};
