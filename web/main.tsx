import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router-dom';
import { createRouter } from './app/routes.tsx';
import { createStore } from './app/store.ts';
import { api } from './lib/api.ts';
import './styles.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');

const router = createRouter();
const store = createStore({ api, navigate: (to) => router.navigate(to) });

createRoot(root).render(
  <StrictMode>
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>
  </StrictMode>,
);
