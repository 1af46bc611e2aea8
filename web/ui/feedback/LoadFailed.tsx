import type { ReactNode } from 'react';
import { Alert } from './Alert.tsx';
import { TextButton } from '../TextLink.tsx';

type LoadFailedProps = { readonly children: ReactNode; readonly onRetry: () => void; readonly className?: string | undefined };

export const LoadFailed = ({ children, onRetry, className }: LoadFailedProps) => (
  <Alert className={className} action={<TextButton onClick={onRetry}>Try again</TextButton>}>
    {children}
  </Alert>
);
