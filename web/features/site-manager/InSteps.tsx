import { type ReactNode, useState } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { useFocusWhenGone } from '../../ui/use-focus-when-gone.ts';

const STEP = 50;

type InStepsProps<Row> = { readonly rows: readonly Row[]; readonly more: string; readonly children: (rows: readonly Row[]) => ReactNode };

export const InSteps = <Row,>({ rows, more, children }: InStepsProps<Row>) => {
  const [steps, setSteps] = useState(1);
  const shown = Math.min(steps * STEP, rows.length);
  const status = useFocusWhenGone<HTMLParagraphElement>(shown === rows.length);
  return (
    <>
      {children(rows.slice(0, shown))}
      {rows.length > STEP && (
        <div className="mt-5 flex flex-wrap items-center gap-4">
          {shown < rows.length && (
            <Button kind="outline" onClick={() => setSteps(steps + 1)}>
              {more}
            </Button>
          )}
          <p ref={status} tabIndex={-1} className="figures text-[0.875rem] text-clove">
            Showing {formatNumber(shown)} of {formatNumber(rows.length)}
          </p>
        </div>
      )}
    </>
  );
};
