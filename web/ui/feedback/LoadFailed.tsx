import type { ReactNode } from 'react';
import { Alert } from './Alert.tsx';
import { TextButton } from '../TextLink.tsx';

type LoadFailedProps = { readonly children: ReactNode; readonly onRetry: () => void; readonly className?: string | undefined };

/** Stands where something could not be loaded: why, and a way to ask again. */
export const LoadFailed = ({ children, onRetry, className }: LoadFailedProps) => (
  <Alert className={className} action={<TextButton onClick={onRetry}>Try again</TextButton>}>
    {children}
  </Alert>
);
