import type { ReactNode } from 'react';
import { Button } from '../Button.tsx';
import { Modal } from './Modal.tsx';

type ConfirmErasureProps = {
  readonly title: string;
  /** What goes, and what stays. */
  readonly consequences: readonly string[];
  /** The sentence before the list. */
  readonly warning: string;
  /** On the button that leaves everything as it is. */
  readonly keep: string;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  /** What erases: a function, or the id of the form in `children` that is sent. */
  readonly confirm: (() => void) | string;
  readonly children?: ReactNode;
};

/** Asks before personal data are erased, which nobody can undo. */
export const ConfirmErasure = ({ title, consequences, warning, keep, isBusy, onClose, confirm, children }: ConfirmErasureProps) => {
  const confirms = typeof confirm === 'string' ? { type: 'submit' as const, form: confirm } : { onClick: confirm };
  return (
    <Modal
      open
      isBusy={isBusy}
      onOpenChange={onClose}
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
          <Button kind="destructive" {...confirms} busy={isBusy ? 'Erasing...' : undefined}>
            Erase for good
          </Button>
        </>
      }
    >
      {children}
    </Modal>
  );
};
