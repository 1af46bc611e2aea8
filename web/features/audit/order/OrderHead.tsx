import { Download, RotateCw } from 'lucide-react';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { DownloadLines } from '../DownloadLines.tsx';
import type { AuditedOrder, Verdict } from '../audit-api.ts';
import { useAnswer } from '../use-fetch.ts';
import { Verdicts } from './Verdicts.tsx';

/** Which order it is, whether it can be trusted, and its events to take along. */
export const OrderHead = ({ name, order }: { readonly name: string; readonly order: AuditedOrder }) => {
  const { answer, again } = useAnswer<Verdict>(`/audit/orders/${encodeURIComponent(name)}/verify`);
  const now = order.states.at(-1) ?? null;
  return (
    <div className="flex flex-col gap-6 border-y border-ink/80 py-6 lg:flex-row lg:items-center lg:justify-between">
      <div>
        <div className="flex flex-wrap items-center gap-4">
          <h2 className="figures text-[1.5rem] leading-none font-semibold tracking-[0.01em]">{now?.orderNumber ?? 'Not placed'}</h2>
          {now && <Badge status={now.status} />}
        </div>
        <p className="mt-2.5 font-mono text-[0.8125rem] break-all text-clove">{order.stream}</p>
      </div>
      <Verdicts answer={answer} />
      <div className="flex flex-wrap gap-3">
        <Button kind="quiet" className="px-3 max-lg:-ml-3" disabled={answer.state === 'asking'} onClick={again}>
          <RotateCw aria-hidden="true" className="size-4" strokeWidth={1.5} />
          Verify again
        </Button>
        <DownloadLines url={`/audit/orders/${encodeURIComponent(name)}`} file={`${order.stream}.ndjson`}>
          <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
          Download NDJSON
        </DownloadLines>
      </div>
    </div>
  );
};
