import type { ReactNode } from 'react';
import { saveFile } from '../../lib/save-file.ts';
import { Button } from '../../ui/Button.tsx';
import { fetchLines } from './ndjson.ts';
import { ProgressLine } from './ProgressLine.tsx';
import { useTask, type Run } from './use-task.ts';

const POSITION = /"position":"(\d+)"/g;

const lastPosition = (piece: string): number => Number([...piece.matchAll(POSITION)].at(-1)?.[1] ?? 0);

const download =
  (url: string, file: string): Run =>
  async (signal, onProgress) => {
    const { pieces, end } = await fetchLines(url, signal);
    const parts: string[] = [];
    let reached = 0;
    for await (const piece of pieces) {
      parts.push(piece);
      reached = Math.max(reached, lastPosition(piece));
      if (end !== undefined && end > 0) onProgress(reached / end);
    }
    saveFile(file, 'application/x-ndjson', parts);
  };

type DownloadLinesProps = { readonly url: string; readonly file: string; readonly children: ReactNode };

/** Streams a response of any length into a file and shows the progress. */
export const DownloadLines = ({ url, file, children }: DownloadLinesProps) => {
  const { progress, trouble, begin, stop } = useTask('The download broke off');
  return (
    <div className="flex flex-wrap items-center gap-3">
      {progress === null ? (
        <Button kind="outline" onClick={() => begin(download(url, file))}>
          {children}
        </Button>
      ) : (
        <>
          <ProgressLine label="Downloading" progress={progress} />
          <Button kind="quiet" onClick={stop}>
            Stop
          </Button>
        </>
      )}
      {trouble !== '' && (
        <p role="alert" className="text-[0.875rem] font-medium text-sindoor">
          {trouble}
        </p>
      )}
    </div>
  );
};
