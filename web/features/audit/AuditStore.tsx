import { configureStore } from '@reduxjs/toolkit';
import { type ReactNode, useState } from 'react';
import { Provider } from 'react-redux';
import { auditApi } from './audit-api.ts';

export const createAuditStore = () =>
  configureStore({
    reducer: { [auditApi.reducerPath]: auditApi.reducer },
    middleware: (defaults) => defaults().concat(auditApi.middleware),
  });

/** The audit has its own store, so that other pages do not load it, and an auditor's data are gone when they leave. */
export const AuditStore = ({ children }: { readonly children: ReactNode }) => {
  const [store] = useState(createAuditStore);
  return <Provider store={store}>{children}</Provider>;
};
