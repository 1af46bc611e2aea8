import { configureStore } from '@reduxjs/toolkit';
import { useDispatch } from 'react-redux';
import { adminApi } from './admin-api.ts';

/**
 * The back office has a store of its own, made when an admin comes in and gone when they leave: a shopper's page carries nothing of it,
 * and nothing of it outlives a logout.
 */
export const createAdminStore = () =>
  configureStore({
    reducer: { [adminApi.reducerPath]: adminApi.reducer },
    middleware: (defaults) => defaults().concat(adminApi.middleware),
  });

export type AdminStore = ReturnType<typeof createAdminStore>;

export const useAdminDispatch = useDispatch.withTypes<AdminStore['dispatch']>();
