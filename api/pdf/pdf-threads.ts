import path from 'node:path';
import { Tinypool } from 'tinypool';

/** Tests run the thread's program from source; otherwise it is the build beside this file. */
const isSource = import.meta.filename.endsWith('.ts');
const PROGRAM = path.join(import.meta.dirname, isSource ? '../composition/pdf-thread.ts' : 'pdf-thread.js');

/**
 * Writing a PDF takes 10 to 30 ms of processor time, in which the shop could answer no request. Each thread loads the fonts and ends after a
 * minute without work.
 */
const threads = new Tinypool({
  filename: PROGRAM,
  minThreads: 0,
  maxThreads: 2,
  idleTimeout: 60_000,
  // tsx compiles source for child processes, not for worker threads.
  ...(isSource && { runtime: 'child_process', execArgv: ['--import', 'tsx'], serialization: 'advanced' }),
  resourceLimits: { maxOldGenerationSizeMb: 128 },
});

/** Calls a function of `composition/pdf-thread.ts` in a thread, with a copy of `subject`. Resolves with the bytes of a PDF. */
export const writePdf = async (
  name: 'renderInvoice' | 'packingSlip' | 'packingSlips' | 'labels' | 'slipsAndLabels',
  subject: object,
): Promise<Buffer> => {
  const bytes = (await threads.run(subject, { name })) as Uint8Array<ArrayBuffer>;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
};
