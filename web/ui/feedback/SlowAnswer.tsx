import { useEffect, useState } from 'react';
import { Alert } from './Alert.tsx';
import { TextButton } from '../TextLink.tsx';

/** Nothing is called off: a slow line may still bring the answer. */
const PATIENCE_MS = 5_000;

type SlowAnswerProps = { readonly onRetry: () => void; readonly className?: string };

/** Shown while an answer is awaited: after a few seconds it offers to try again. */
export const SlowAnswer = ({ onRetry, className }: SlowAnswerProps) => {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (shown) return undefined;
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  const wait = (): void => setShown(false);
  const retry = (): void => {
    wait();
    onRetry();
  };
  if (!shown) return null;
  return (
    <Alert kind="warning" className={className}>
      The shop does not answer yet.
      <span className="mt-1 flex flex-wrap gap-x-5">
        <TextButton onClick={wait}>Go on waiting</TextButton>
        <TextButton onClick={retry}>Try again</TextButton>
      </span>
    </Alert>
  );
};
