import { useEffect } from 'react';
import { Alert } from '../../../ui/Alert.tsx';
import type { FormFaults } from './product-form.ts';

type SaveProblemsProps = {
  readonly faults: FormFaults;
  /** Counts the refused saves. */
  readonly attempt: number;
  readonly formId: string;
};

/** Says how much is to be corrected, and leads to the first of it. */
export const SaveProblems = ({ faults, attempt, formId }: SaveProblemsProps) => {
  const count = Object.keys(faults).length;
  useEffect(() => {
    if (attempt === 0) return;
    const first = document.getElementById(formId)?.querySelector('[aria-invalid="true"]');
    if (first instanceof HTMLElement) first.focus();
  }, [attempt, formId]);
  if (count === 0) return null;
  return <Alert className="mb-6">{count === 1 ? 'Please correct the marked field.' : `Please correct the ${count} marked fields.`}</Alert>;
};
