import { Check, Share2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { SquareButton } from './SquareButton.tsx';

const TOLD_FOR_MS = 2000;
const COPIED = 'Link copied';

const note = 'absolute right-0 bottom-full mb-2 rounded-xs bg-umber px-3 py-1.5 text-xs whitespace-nowrap text-ivory';

/** The device's own way to share, where it has one; else the address is copied, and the button says so for two seconds. */
export const ShareButton = ({ name }: { readonly name: string }) => {
  const [told, setTold] = useState('');
  useEffect(() => {
    if (told === '') return undefined;
    const timer = setTimeout(() => setTold(''), TOLD_FOR_MS);
    return () => clearTimeout(timer);
  }, [told]);

  const share = async (): Promise<void> => {
    const page = { title: name, url: location.href };
    try {
      if (typeof navigator.share === 'function') return await navigator.share(page);
      await navigator.clipboard.writeText(page.url);
      setTold(COPIED);
    } catch (error) {
      // The shopper closed the device's share sheet: that is an answer, not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setTold('The link could not be copied');
    }
  };
  return (
    <div className="relative">
      <SquareButton icon={told === COPIED ? Check : Share2} label={`Share ${name}`} onClick={() => void share()} />
      <output className={told === '' ? 'sr-only' : note}>{told}</output>
    </div>
  );
};
