import { nanoid } from '@reduxjs/toolkit';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { useLazyCheckQuery } from '../audit-api.ts';
import { ProgressLine } from '../ProgressLine.tsx';
import { IntegrityResult } from './IntegrityResult.tsx';

/** Checks the books as a whole, with progress. */
export const IntegrityCheck = () => {
  const [begin, { data, reset }] = useLazyCheckQuery();
  return (
    <div className="flex flex-col gap-5 border-y border-ink/80 py-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h2 className="font-medium">The books as a whole</h2>
          <p className="max-w-[42rem] text-[0.875rem] text-clove">
            Every hash chain, every order’s history and the dashboard’s figures, recomputed from the first event; and every table that the
            shop shows its orders from, built anew and compared row by row.
          </p>
        </div>
        {data?.state === 'running' ? (
          <div className="flex flex-wrap items-center gap-3">
            <span className="text-[0.875rem] text-clove">{data.doing}</span>
            <ProgressLine label="Checking the books" progress={data.progress} />
            <Button kind="quiet" onClick={reset}>
              Stop
            </Button>
          </div>
        ) : (
          <Button kind="outline" onClick={() => void begin(nanoid())}>
            {data?.state === 'done' ? 'Check again' : 'Check the books'}
          </Button>
        )}
      </div>
      {data?.state === 'failed' && <Alert>{data.message}</Alert>}
      {data?.state === 'done' && <IntegrityResult result={data.result} />}
    </div>
  );
};
