import { useEffect, useRef } from 'react';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TableHead } from '../TableHead.tsx';
import { differencesBetween, type Difference } from './stale-edit.ts';
import type { Conflict } from './use-product-editor.ts';

/** Both versions of a product that two admins edited at once, and the choice between them. Nothing is lost until one is chosen. */
export const StaleEdit = ({ base, mine, current, keepMine, takeTheirs, isSaving }: Conflict & { readonly isSaving: boolean }) => {
  const versions = useRef<HTMLElement>(null);
  // It stands over the form, whose end is in sight when it is saved.
  useEffect(() => versions.current?.focus(), []);
  return (
    <section ref={versions} tabIndex={-1} aria-label="Two versions" className="mb-7 rounded-sm border border-sandal bg-white p-5">
      <Alert kind="error">Somebody else has changed this product meanwhile. Choose what it shall be.</Alert>
      <table className="mt-4 w-full table-fixed">
        <TableHead columns={['Field', 'What you wrote', 'What it is now']} />
        <tbody>
          {differencesBetween(mine, base, current).map((difference) => (
            <DifferenceRow key={difference.field} {...difference} />
          ))}
        </tbody>
      </table>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button busy={isSaving ? 'Saving...' : undefined} onClick={keepMine}>
          Save what I wrote
        </Button>
        <Button kind="outline" disabled={isSaving} onClick={takeTheirs}>
          Take what it is now
        </Button>
      </div>
    </section>
  );
};

const DifferenceRow = ({ label, mine, theirs }: Difference) => (
  <tr className="border-b border-sandal/70 align-top text-[0.9375rem]">
    <th scope="row" className="py-3 pr-4 text-left font-normal text-clove">
      {label}
    </th>
    <td className="py-3 pr-4 wrap-anywhere">
      {mine === undefined ? <span className="text-clove">You left it as it was</span> : mine || 'Nothing'}
    </td>
    <td className="py-3 wrap-anywhere">{theirs || 'Nothing'}</td>
  </tr>
);
