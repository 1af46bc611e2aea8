import { Download } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { OrderView } from '#domain/order/view.ts';
import { verifyPath } from '#domain/site/pages.ts';
import { getMessage } from '../../../lib/http/api.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { Status } from '../../../ui/feedback/Status.tsx';
import { TextButton } from '../../../ui/TextLink.tsx';
import { useFetchReceiptMutation } from '../order-api.ts';
import { formatOrderNumber } from '../order-paths.ts';

/** The server signs its log within two seconds of an order. */
const RETRY_MS = 2_000;

const UNAVAILABLE = 503;

/** Saves the order's receipt as a file. While it is not signed yet, the receipt is asked for again until it comes. */
export const DownloadReceipt = ({ order }: { readonly order: OrderView }) => {
  const [fetchReceipt, { isLoading }] = useFetchReceiptMutation();
  /** Counts how often the receipt was asked for and is not there yet. */
  const [tries, setTries] = useState(0);
  const isAwaited = tries > 0;
  const [failure, setFailure] = useState<string>();

  const download = async (): Promise<void> => {
    setFailure(undefined);
    const { data, error } = await fetchReceipt(order._id);
    const isComing = error !== undefined && 'status' in error && error.status === UNAVAILABLE;
    setTries((before) => (isComing ? before + 1 : 0));
    if (data !== undefined) saveFile(`${formatOrderNumber(order)}.tlog-proof`, 'text/plain', [data]);
    else if (!isComing) setFailure(getMessage(error));
  };

  const again = useEffectEvent(() => void download());
  useEffect(() => {
    if (tries === 0) return;
    const timer = setTimeout(again, RETRY_MS);
    return () => clearTimeout(timer);
  }, [tries]);

  return (
    <section aria-label="Receipt" className="mt-3 border-t border-sandal pt-2">
      <TextButton size="sm" disabled={isAwaited || isLoading} onClick={() => void download()}>
        <Download className="size-4" strokeWidth={1.5} />
        <span>Receipt</span>
      </TextButton>
      <p className="text-[0.875rem] leading-relaxed text-clove">
        A file that proves what you ordered and at what price. We cannot change it unnoticed, and anybody can{' '}
        <a href={verifyPath} className="link">
          verify it
        </a>
        .
      </p>
      <Status className="text-[0.875rem] font-medium">
        {isAwaited && 'Your receipt is not published yet. It is tried again every two seconds, and saved when it comes.'}
      </Status>
      {failure !== undefined && (
        <p role="alert" className="text-[0.875rem] font-medium text-sindoor">
          {failure}
        </p>
      )}
    </section>
  );
};
