import { configureStore } from '@reduxjs/toolkit';
import { useDispatch } from 'react-redux';
import { officeApi } from './admin-api.ts';

/**
 * The back office has a store of its own, made when an admin comes in and gone when they leave: a shopper's page carries nothing of it,
 * and nothing of it outlives a logout.
 */
export const openOffice = () =>
  configureStore({
    reducer: { [officeApi.reducerPath]: officeApi.reducer },
    middleware: (defaults) => defaults().concat(officeApi.middleware),
  });

export type Office = ReturnType<typeof openOffice>;

export const useOffice = useDispatch.withTypes<Office['dispatch']>();
