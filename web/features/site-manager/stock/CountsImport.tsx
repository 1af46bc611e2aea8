import { count, formatNumber } from '../../../lib/numbers.ts';
import type { CountedLine, Counts } from '../admin-types.ts';
import { CsvImport } from '../csv/CsvImport.tsx';
import { InSteps } from '../InSteps.tsx';
import { TableHead } from '../TableHead.tsx';
import { useSendCountsMutation } from './stock-api.ts';

const wordsFor = (name: string, { changed, unchanged }: Counts) => {
  const same = unchanged === 0 ? '' : ` ${formatNumber(unchanged)} would stay.`;
  return {
    checked: changed === 0 ? `Nothing in ${name} changes a count.` : `${name} would change ${count(changed, 'count')}.${same}`,
    booked: `${name} is booked: ${count(changed, 'count')} changed.`,
  };
};

/** Imports a file of counted bottles. `onChanged` is called after each booked file. */
export const CountsImport = ({ onChanged }: { readonly onChanged: () => void }) => {
  const [send] = useSendCountsMutation();
  return (
    <CsvImport
      title="Counts from a file"
      help="A CSV file with the columns productId and count: all bottles there are, with those reserved for orders."
      fileLabel="File of counts"
      send={async (sent) => {
        const answer = await send(sent);
        if (!sent.dryRun) onChanged();
        return answer;
      }}
      wordsOf={wordsFor}
      isBookable={({ changed }) => changed > 0}
    >
      {(_, { rows }) => (
        <InSteps rows={rows} more="Show more lines">
          {(shown) => <Lines rows={shown} />}
        </InSteps>
      )}
    </CsvImport>
  );
};

const columns = [
  { title: 'Line', className: 'w-[13%] sm:w-16' },
  'Product',
  { title: 'Before', className: 'w-[26%] text-right! sm:w-40' },
  { title: 'After', className: 'w-[18%] pr-0! text-right! sm:w-32' },
];

const Lines = ({ rows }: { readonly rows: readonly CountedLine[] }) => (
  <table className="mt-4 w-full table-fixed border-t border-ink/80">
    <caption className="sr-only">Lines of the file</caption>
    <TableHead columns={columns} />
    <tbody>
      {rows.map(({ line, productId, before, after }) => (
        <tr key={line} className="border-b border-sandal/70 align-top text-[0.8125rem] sm:text-[0.9375rem]">
          <td className="figures py-3 pr-2 text-clove">{formatNumber(line)}</td>
          <td className="py-3 pr-2 wrap-anywhere">{productId}</td>
          <td className="figures py-3 pr-6 text-right text-clove">{before === null ? 'Not counted' : formatNumber(before)}</td>
          <td className="figures py-3 text-right">
            {before === after ? <span className="text-clove">Stays</span> : <span className="font-medium">{formatNumber(after)}</span>}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
