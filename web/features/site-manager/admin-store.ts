import { configureStore } from '@reduxjs/toolkit';
import { useDispatch } from 'react-redux';
import { adminApi } from './admin-api.ts';

/**
 * A store of its own for the back office, created when an admin opens it and dropped when they leave: the shop's pages do not load it, and
 * a logout leaves nothing behind.
 */
export const createAdminStore = () =>
  configureStore({
    reducer: { [adminApi.reducerPath]: adminApi.reducer },
    middleware: (defaults) => defaults().concat(adminApi.middleware),
  });

export type AdminStore = ReturnType<typeof createAdminStore>;

export const useAdminDispatch = useDispatch.withTypes<AdminStore['dispatch']>();
