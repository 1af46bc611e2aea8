import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { TextButton } from './TextLink.tsx';

const SAID_FOR_MS = 2_000;

type CopyButtonProps = { readonly text: string; readonly children: string };

/** Copies a text and says so for two seconds. */
export const CopyButton = ({ text, children }: CopyButtonProps) => {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => setSaid(''), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('Please copy it by hand');
    }
  };
  const Icon = said === 'Copied' ? Check : Copy;
  return (
    <span className="inline-flex items-center gap-3">
      <TextButton size="sm" onClick={() => void copy()}>
        <Icon className="size-4" strokeWidth={1.5} />
        <span>{children}</span>
      </TextButton>
      <output className="text-xs text-clove">{said}</output>
    </span>
  );
};
