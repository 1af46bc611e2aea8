import { readFile } from 'node:fs/promises';

import { reportReceipt, type ReceiptReport, type ReceiptTable } from '#domain/receipt/receipt-report.ts';
import { verifyReceipt, type ReceiptPolicy } from '#domain/receipt/receipt.ts';

import { nodePlatform } from '../transparency/node-platform.ts';

const TIME = new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Kolkata' });

const formatTable = ({ caption, head, rows }: ReceiptTable): readonly string[] => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string => `  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  return ['', caption, line(head), ...rows.map(line)];
};

const formatReport = ({ title, sentences, facts, tables }: ReceiptReport): string => {
  const width = Math.max(...facts.map(({ label }) => label.length));
  const told = facts.map(({ label, value }) => `  ${label.padEnd(width)}  ${value}`);
  return [title, ...sentences, '', ...told, ...tables.flatMap(formatTable)].join('\n');
};

/** Verifies a receipt's file, and prints what the page `/verify` says about it. Returns whether it is proved. */
export const verifyReceiptFile = async (
  file: string,
  policy: ReceiptPolicy,
  out: (lines: string) => void | Promise<void>,
): Promise<boolean> => {
  const verdict = verifyReceipt(await readFile(file), policy, nodePlatform);
  await out(formatReport(reportReceipt(verdict, (time) => TIME.format(new Date(time)))));
  return verdict.proved;
};
