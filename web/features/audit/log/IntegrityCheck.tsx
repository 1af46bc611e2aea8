import { useState } from 'react';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import type { CheckFailure, CheckProgress, CheckResult } from '../audit-api.ts';
import { fetchLines, parseLines } from '../ndjson.ts';
import { ProgressLine } from '../ProgressLine.tsx';
import { useTask } from '../use-task.ts';
import { IntegrityResult } from './IntegrityResult.tsx';

/** The check reads the log once, and again for each read model. */
const progressOf = ({ step, steps, position, end }: CheckProgress): number =>
  (step - 1 + Math.min(1, Number(position) / Math.max(1, Number(end)))) / steps;

const doing = ({ of }: CheckProgress): string => (of === 'log' ? 'Reading the log' : `Building ${of} anew`);

const check = async (
  signal: AbortSignal,
  onProgress: (progress: number) => void,
  say: (what: string) => void,
): Promise<CheckResult | CheckFailure> => {
  const { pieces } = await fetchLines('/audit/verify', signal);
  for await (const text of parseLines(pieces)) {
    // The server is ours and writes these lines only.
    const line = JSON.parse(text) as CheckProgress | CheckResult | CheckFailure;
    if ('done' in line || 'failed' in line) return line;
    onProgress(progressOf(line));
    say(doing(line));
  }
  throw new Error('The check ended without a result');
};

/** Recomputes every hash chain, every order, the dashboard's figures and every read model from the first event. */
export const IntegrityCheck = () => {
  const [result, setResult] = useState<CheckResult | null>(null);
  const [failure, setFailure] = useState('');
  const [what, say] = useState('');
  const { progress, trouble, begin, stop } = useTask('The books could not be checked. Try again in a moment.');
  const checkNow = () =>
    begin(async (signal, onProgress) => {
      setFailure('');
      const end = await check(signal, onProgress, say);
      if ('done' in end) setResult(end);
      else setFailure(end.failed);
    });
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
        {progress === null ? (
          <Button kind="outline" onClick={checkNow}>
            {result === null ? 'Check the books' : 'Check again'}
          </Button>
        ) : (
          <div className="flex flex-wrap items-center gap-3">
            <span className="text-[0.875rem] text-clove">{what}</span>
            <ProgressLine label="Checking the books" progress={progress} />
            <Button kind="quiet" onClick={stop}>
              Stop
            </Button>
          </div>
        )}
      </div>
      {(trouble || failure) !== '' && <Alert>{trouble || failure}</Alert>}
      {result !== null && progress === null && <IntegrityResult result={result} />}
    </div>
  );
};
