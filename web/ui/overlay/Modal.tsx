import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cx } from '../cx.ts';
import { IconButton } from '../IconButton.tsx';
import { Dialog } from './Dialog.tsx';

type ModalProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly isBusy?: boolean;
  /** What it shows would be lost: only a button of its foot closes it. */
  readonly isClosedByFootOnly?: boolean;
  readonly title: string;
  readonly description: ReactNode;
  readonly children?: ReactNode;
  readonly foot: ReactNode;
  /** For tables. */
  readonly isWide?: boolean;
};

const content =
  'top-auto mx-auto flex max-h-[calc(100dvh-1.5rem)] w-full flex-col rounded-t-sm bg-ivory ' +
  'max-sm:data-[state=closed]:animate-sheet-out max-sm:data-[state=open]:animate-sheet sm:data-[state=closed]:animate-fade-out sm:data-[state=open]:animate-pop ' +
  'sm:inset-y-6 sm:my-auto sm:max-h-[calc(100dvh-3rem)] sm:rounded-sm';

/** A confirmation dialog, shown as a sheet on phones. Escape and a click beside it close it. */
export const Modal = ({
  open,
  onClose,
  isBusy = false,
  isClosedByFootOnly = false,
  title,
  description,
  children,
  foot,
  isWide = false,
}: ModalProps) => {
  const id = useId();
  const close = (): void => {
    if (!isBusy && !isClosedByFootOnly) onClose();
  };
  return (
    <Dialog
      open={open}
      onEscape={close}
      onClickBeside={close}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-description`}
      className={cx(content, isWide ? 'max-w-3xl' : 'max-w-[34rem]')}
    >
      <div className="flex items-start justify-between gap-4 border-b border-sandal px-6 py-4">
        <h2 id={`${id}-title`} className="display pt-1.5 text-h3">
          {title}
        </h2>
        {!isClosedByFootOnly && <IconButton icon={X} label="Close" className="-mr-2.5 shrink-0" onClick={close} />}
      </div>
      <div className="flex-1 overflow-y-auto px-6 py-6">
        <div id={`${id}-description`} className="space-y-3 text-clove">
          {description}
        </div>
        {children}
      </div>
      <div className="flex flex-wrap justify-end gap-3 border-t border-sandal px-6 py-4 max-sm:*:flex-1">{foot}</div>
    </Dialog>
  );
};
