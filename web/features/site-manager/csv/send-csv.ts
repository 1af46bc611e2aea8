import { api } from '../../../lib/http/api.ts';
import { queryResult } from '../admin-api.ts';

export type SentCsv = {
  readonly file: ArrayBuffer;
  /** With `dryRun`, the server reports what it would book and books nothing. */
  readonly dryRun: boolean;
  /** Called with the share that was sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
};

/** Sends a file. Sending the same file again, as after a lost answer, changes nothing. */
export const sendCsv = <Answer>(url: string, { file, dryRun, onProgress }: SentCsv, params: object = {}) => {
  const sent = api.post<Answer>(url, file, {
    params: { ...params, ...(dryRun && { dryRun: true }) },
    headers: { 'Content-Type': 'text/csv' },
    onUploadProgress: ({ loaded, total }) => onProgress(total === undefined || total === 0 ? 0 : loaded / total),
  });
  return queryResult(
    async () => (await sent).data,
    dryRun ? 'The file could not be checked. Please try again.' : 'The file could not be booked. Please try again.',
  );
};
