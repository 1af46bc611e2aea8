import type { ReactNode } from 'react';
import { Button } from '../Button.tsx';
import { Modal } from './Modal.tsx';

type ConfirmErasureProps = {
  readonly title: string;
  readonly consequences: readonly string[];
  readonly warning: string;
  readonly keep: string;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  /** `confirm` is a callback, or the id of the form in `children` to submit. Without it nothing can be erased. */
  readonly confirm: (() => void) | string | undefined;
  readonly children?: ReactNode;
};

export const ConfirmErasure = ({ title, consequences, warning, keep, isBusy, onClose, confirm, children }: ConfirmErasureProps) => {
  const confirms = typeof confirm === 'string' ? { type: 'submit' as const, form: confirm } : { onClick: confirm };
  return (
    <Modal
      open
      isBusy={isBusy}
      onClose={onClose}
      title={title}
      description={
        <>
          <p>{warning}</p>
          <ul className="list-disc space-y-1.5 pl-5">
            {consequences.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </>
      }
      foot={
        <>
          <Button kind="outline" disabled={isBusy} onClick={onClose}>
            {keep}
          </Button>
          {confirm !== undefined && (
            <Button kind="destructive" {...confirms} busy={isBusy ? 'Erasing...' : undefined}>
              Erase for good
            </Button>
          )}
        </>
      }
    >
      {children}
    </Modal>
  );
};
