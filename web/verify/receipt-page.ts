import { reportReceipt, type ReceiptReport, type ReceiptTable } from '#domain/receipt/receipt-report.ts';
import { verifyReceipt, type ReceiptPolicy, type Verdict } from '#domain/receipt/receipt.ts';
import { browserPlatform } from './browser-platform.ts';
import { readFragment } from './read-fragment.ts';
import './verify.css';

const find = (id: string): HTMLElement => {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no ${id}`);
  return element;
};

type Child = Node | string;
const create = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  children: readonly Child[],
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

const policy: ReceiptPolicy = JSON.parse(find('policy').textContent);
const TIME = new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Kolkata' });

/** Amounts and counts, and the cells left empty beside sums. */
const AMOUNT = /^(?:₹.*|\d*)$/;
const createTable = ({ caption, head, rows }: ReceiptTable): HTMLElement => {
  const attributes = (column: number): Record<string, string> =>
    rows.every((row) => AMOUNT.test(row[column] ?? '')) ? { class: 'amount' } : {};
  const titles = head.map((title, column) => create('th', [title], { scope: 'col', ...attributes(column) }));
  const body = rows.map((row) =>
    create(
      'tr',
      row.map((text, column) => create('td', [text], attributes(column))),
    ),
  );
  const table = create('table', [create('caption', [caption]), create('thead', [create('tr', titles)]), create('tbody', body)]);
  return create('div', [table], { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: '0' });
};

const show = ({ title, sentences, facts, tables }: ReceiptReport, isProved: boolean): void => {
  const heading = create('h2', [title], { tabindex: '-1' });
  const list = facts.flatMap(({ label, value }) => [create('dt', [label]), create('dd', [value])]);
  const parts = [heading, ...sentences.map((sentence) => create('p', [sentence])), create('dl', list), ...tables.map(createTable)];
  find('result').replaceChildren(create('div', parts, { class: isProved ? 'proved' : 'refused' }));
  document.title = `${title} · RUHANI`;
  heading.focus();
};

const showVerdict = (verdict: Verdict): void =>
  show(
    reportReceipt(verdict, (time) => TIME.format(new Date(time))),
    verdict.proved,
  );

const verifyBytes = (receipt: Uint8Array): void => showVerdict(verifyReceipt(receipt, policy, browserPlatform));

/** More than the verifier reads, and less than the memory of a phone. */
const MAX_BYTES = 10_000_000;

const verifyFile = async (file: File | undefined): Promise<void> => {
  if (!file) return;
  try {
    verifyBytes(new Uint8Array(await file.slice(0, MAX_BYTES).arrayBuffer()));
  } catch {
    showVerdict({ proved: false, reason: 'malformed', message: 'This file cannot be read.' });
  }
};

const verifyLink = async (): Promise<void> => {
  const fragment = location.hash.slice(1);
  if (fragment !== '') verifyBytes(await readFragment(fragment));
};

const showKeys = ({ logs, witnesses, quorum }: ReceiptPolicy): void => {
  const createList = (keys: readonly string[]) =>
    create(
      'ul',
      keys.map((key) => create('li', [key], { class: 'mono' })),
    );
  const none = 'This page has no key of a log, so it proves nothing: open it at the address of the shop, under /verify, and save it there.';
  const asked = `Of these witnesses, ${quorum} must have signed:`;
  find('keys').replaceChildren(
    ...(logs.length > 0 ? [create('p', ['The log of the shop:']), createList(logs)] : [create('p', [none])]),
    ...(witnesses.length > 0 ? [create('p', [asked]), createList(witnesses)] : [create('p', ['No witness is known.'])]),
  );
};

const input = find('file') as HTMLInputElement;
// Otherwise choosing the same file again, which may have changed, would be no change.
input.addEventListener('click', () => {
  input.value = '';
});
input.addEventListener('change', () => void verifyFile(input.files?.[0]));
const mark = (isOver: boolean) => document.body.classList.toggle('is-over', isOver);
addEventListener('dragover', (event) => {
  event.preventDefault();
  mark(true);
});
addEventListener('dragleave', () => mark(false));
addEventListener('drop', (event) => {
  event.preventDefault();
  mark(false);
  void verifyFile(event.dataTransfer?.files[0]);
});
addEventListener('hashchange', () => void verifyLink());

showKeys(policy);
void verifyLink();
