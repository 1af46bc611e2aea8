import { count } from '../../../lib/numbers.ts';
import type { Remittance } from '../admin-types.ts';
import { CsvImport } from '../csv/CsvImport.tsx';
import { useSendRemittanceMutation } from './money-api.ts';
import { RemittanceResult } from './RemittanceResult.tsx';

const bookable = ({ matched, short, over }: Remittance): number => matched + short + over;

const wordsFor = (name: string, remittance: Remittance) => {
  const payments = count(bookable(remittance), 'payment');
  return {
    checked: bookable(remittance) === 0 ? `Nothing in ${name} can be booked.` : `${name} would book ${payments}.`,
    booked: `${name} is booked: ${payments}.`,
  };
};

export const RemittanceImport = () => {
  const [send] = useSendRemittanceMutation();
  return (
    <CsvImport
      title="Remittance of a courier"
      help="A CSV file with the columns order_number, amount, collected_on and reference."
      fileLabel="Remittance file"
      send={send}
      wordsOf={wordsFor}
      isBookable={(remittance) => bookable(remittance) > 0}
    >
      {(name, remittance) => <RemittanceResult name={name} remittance={remittance} />}
    </CsvImport>
  );
};
