import { type ReactNode, useState } from 'react';
import { counted } from '../../lib/numbers.ts';
import { Button } from '../../ui/Button.tsx';

/** Rows shown at a time. */
const STEP = 50;

type InStepsProps<Row> = {
  readonly rows: readonly Row[];
  /** The button's text. */
  readonly more: string;
  readonly children: (rows: readonly Row[]) => ReactNode;
};

/** Rows that are loaded but too many to show at once. */
export const InSteps = <Row,>({ rows, more, children }: InStepsProps<Row>) => {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      {children(rows.slice(0, shown))}
      {rows.length > shown && (
        <div className="mt-5 flex flex-wrap items-center gap-4">
          <Button kind="outline" onClick={() => setShown(shown + STEP)}>
            {more}
          </Button>
          <p className="figures text-[0.875rem] text-clove">
            Showing {counted(shown)} of {counted(rows.length)}
          </p>
        </div>
      )}
    </>
  );
};
