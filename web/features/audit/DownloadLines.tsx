import { nanoid } from '@reduxjs/toolkit';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { type NdjsonCall, useLazyDownloadQuery } from './audit-api.ts';
import { ProgressLine } from './ProgressLine.tsx';

type DownloadLinesProps = { readonly call: NdjsonCall; readonly file: string; readonly children: ReactNode };

export const DownloadLines = ({ call, file, children }: DownloadLinesProps) => {
  const [begin, { data, reset }] = useLazyDownloadQuery();
  return (
    <div className="flex flex-wrap items-center gap-3">
      {data?.state === 'running' ? (
        <>
          <ProgressLine label="Downloading" progress={data.progress} />
          <Button kind="quiet" onClick={reset}>
            Stop
          </Button>
        </>
      ) : (
        <Button kind="outline" onClick={() => void begin({ ...call, file, run: nanoid() })}>
          {children}
        </Button>
      )}
      {data?.state === 'failed' && (
        <p role="alert" className="text-[0.875rem] font-medium text-sindoor">
          {data.message}
        </p>
      )}
    </div>
  );
};
