import { useLayoutEffect } from 'react';
import { useNavigate } from 'react-router-dom';

type Navigate = (to: string) => void | Promise<void>;

/** What sagas navigate by: the router belongs to React, and they do not. */
export type Navigator = { readonly navigate: Navigate; readonly connect: (router: Navigate) => void };

/** Until the router stands, an address is gone to as the browser does. */
export const createNavigator = (): Navigator => {
  let navigate: Navigate = (to) => location.assign(to);
  return {
    navigate: (to) => navigate(to),
    connect: (router) => {
      navigate = router;
    },
  };
};

/** Inside the router: puts it at the navigator. */
export const ConnectNavigator = ({ navigator }: { readonly navigator: Navigator }) => {
  const navigate = useNavigate();
  useLayoutEffect(() => navigator.connect((to) => navigate(to)), [navigator, navigate]);
  return null;
};
