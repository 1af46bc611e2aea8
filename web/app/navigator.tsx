import { useLayoutEffect } from 'react';
import { useNavigate } from 'react-router-dom';

type Navigate = (to: string) => void | Promise<void>;

/** Lets sagas navigate, because they run outside React, where the router is. */
export type Navigator = { readonly navigate: Navigate; readonly connect: (router: Navigate) => void };

/** Creates a navigator that loads the document until the router is mounted. */
export const createNavigator = (): Navigator => {
  let navigate: Navigate = (to) => location.assign(to);
  return {
    navigate: (to) => navigate(to),
    connect: (router) => {
      navigate = router;
    },
  };
};

export const ConnectNavigator = ({ navigator }: { readonly navigator: Navigator }) => {
  const navigate = useNavigate();
  useLayoutEffect(() => navigator.connect((to) => navigate(to)), [navigator, navigate]);
  return null;
};
