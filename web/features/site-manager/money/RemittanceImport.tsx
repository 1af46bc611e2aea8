import { Download } from 'lucide-react';
import { useState } from 'react';
import { csvText } from '#domain/shared/csv.ts';
import { rupees, sum, toPaise } from '#domain/shared/money.ts';
import { count, formatNumber, moneyText } from '../../../lib/format.ts';
import { type Remittance, type RemittanceOutcome, outcomes, type RemittanceRow } from '../admin-types.ts';
import { CsvImport } from '../csv/CsvImport.tsx';
import { useSendRemittanceMutation } from './money-api.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { Button } from '../../../ui/Button.tsx';
import { InSteps } from '../InSteps.tsx';
import { Segments } from '../Segments.tsx';
import { TableHead } from '../TableHead.tsx';

const bookable = ({ matched, short, over }: Remittance): number => matched + short + over;

const isBooked = ({ outcome }: RemittanceRow): boolean => outcome === 'matched' || outcome === 'short' || outcome === 'over';
const bookedAmount = ({ rows }: Remittance): number => rupees(sum(rows.filter(isBooked).map(({ received }) => toPaise(received))));

const wordsFor = (name: string, remittance: Remittance) => {
  const payments = count(bookable(remittance), 'payment');
  return {
    checked: bookable(remittance) === 0 ? `Nothing in ${name} can be booked.` : `${name} would book ${payments}.`,
    booked: `${name} is booked: ${payments}.`,
  };
};

export const RemittanceImport = ({ onClose }: { readonly onClose: () => void }) => {
  const [send] = useSendRemittanceMutation();
  return (
    <CsvImport
      title="Courier’s file"
      help="A CSV file with the columns order_number, amount, collected_on and reference."
      fileLabel="Remittance file"
      send={send}
      wordsOf={wordsFor}
      deed={(remittance) => `Book ${count(bookable(remittance), 'line')}, ${moneyText(bookedAmount(remittance))}`}
      onClose={onClose}
      isBookable={(remittance) => bookable(remittance) > 0}
    >
      {(name, remittance) => <RemittanceResult name={name} remittance={remittance} />}
    </CsvImport>
  );
};

type Chosen = RemittanceOutcome | 'all';

type RemittanceResultProps = { readonly name: string; readonly remittance: Remittance };

const RemittanceResult = ({ name, remittance }: RemittanceResultProps) => {
  const [chosen, setChosen] = useState<Chosen>('all');
  const rows = remittance.rows.filter(({ outcome }) => chosen === 'all' || outcome === chosen);
  const options = [
    { value: 'all' as Chosen, text: `All lines ${formatNumber(remittance.rows.length)}` },
    ...outcomes.map((outcome) => ({ value: outcome, text: `${outcomeText[outcome]} ${formatNumber(remittance[outcome])}` })),
  ];
  const download = (): void => saveFile(`${name.replace(/\.csv$/i, '')}_result.csv`, 'text/csv', [remittanceCsv(remittance.rows)]);
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <Segments label="Outcomes" options={options} chosen={chosen} onChoose={setChosen} />
        <Button kind="outline" onClick={download} className="max-sm:w-full">
          <Download className="size-4" strokeWidth={1.5} />
          Download Result
        </Button>
      </div>
      {rows.length === 0 ? (
        <p className="mt-4 text-clove">No line has this outcome.</p>
      ) : (
        <InSteps key={chosen} rows={rows} more="Show more lines">
          {(shown) => <Lines rows={shown} />}
        </InSteps>
      )}
    </>
  );
};

const columns = [
  { title: 'Line', className: 'w-[13%] sm:w-16' },
  { title: 'Order', className: 'w-[36%] sm:w-auto' },
  'Outcome',
  { title: 'Expected', className: 'text-right! max-sm:hidden' },
  { title: 'Received', className: 'w-[29%] pr-0! text-right! sm:w-auto' },
];

const Lines = ({ rows }: { readonly rows: readonly RemittanceRow[] }) => (
  <table className="mt-4 w-full table-fixed border-t border-ink/80">
    <caption className="sr-only">Lines of the file</caption>
    <TableHead columns={columns} />
    <tbody>
      {rows.map(({ line, orderNumber, customer, outcome, expected, received }) => (
        <tr key={line} className="border-b border-sandal/70 align-top text-[0.8125rem] sm:text-[0.9375rem]">
          <td className="figures py-3 pr-2 text-clove">{formatNumber(line)}</td>
          <td className="figures py-3 pr-2 wrap-anywhere">
            {orderNumber} <bdi className="block text-[0.8125rem] text-clove">{customer}</bdi>
          </td>
          <td className="py-3 pr-2">{outcomeText[outcome]}</td>
          <td className="figures py-3 pr-6 text-right max-sm:hidden">{expected !== null && moneyText(expected)}</td>
          <td className="figures py-3 text-right">{moneyText(received)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const outcomeText: Readonly<Record<RemittanceOutcome, string>> = {
  matched: 'Matched',
  short: 'Too little',
  over: 'Too much',
  unknown: 'Unknown order',
  duplicate: 'Duplicate',
  notDelivered: 'Not delivered',
};

const rupeesText = (amount: number | null): string => (amount === null ? '' : amount.toFixed(2));

export const remittanceCsv = (rows: readonly RemittanceRow[]): string =>
  csvText([
    ['line', 'order_number', 'customer', 'outcome', 'expected', 'received'],
    ...rows.map(({ line, orderNumber, customer, outcome, expected, received }) => [
      String(line),
      orderNumber,
      customer,
      outcomeText[outcome],
      rupeesText(expected),
      rupeesText(received),
    ]),
  ]);
