import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from '../IconButton.tsx';
import { useFocusReturn } from './use-focus-return.ts';

type ModalProps = {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** While the action runs the dialog cannot be closed. */
  readonly isBusy?: boolean;
  readonly title: string;
  /** Announced with the title. */
  readonly description: ReactNode;
  readonly children?: ReactNode;
  /** Stays visible below the scrolling content. */
  readonly foot: ReactNode;
};

const content =
  'fixed inset-x-0 bottom-0 z-50 mx-auto flex max-h-[calc(100dvh-1.5rem)] w-full max-w-[34rem] flex-col rounded-t-sm bg-ivory shadow-modal ' +
  'max-sm:data-[state=closed]:animate-sheet-out max-sm:data-[state=open]:animate-sheet sm:data-[state=closed]:animate-fade-out sm:data-[state=open]:animate-pop ' +
  'sm:inset-y-6 sm:my-auto sm:h-fit sm:max-h-[calc(100dvh-3rem)] sm:rounded-sm';

/** A confirmation dialog; a sheet on phones. Focus is trapped inside, Escape closes it, and the focus returns to the opener. */
export const Modal = ({ open, onOpenChange, isBusy = false, title, description, children, foot }: ModalProps) => {
  const opener = useFocusReturn();
  return (
    <Dialog.Root open={open} onOpenChange={(opens) => (opens || !isBusy) && onOpenChange(opens)}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-umber/45 data-[state=closed]:animate-fade-out data-[state=open]:animate-fade" />
        <Dialog.Content {...opener} className={content}>
          <div className="flex items-start justify-between gap-4 border-b border-sandal px-6 py-4">
            <Dialog.Title className="display pt-1.5 text-h3">{title}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton icon={X} label="Close" className="-mr-2.5 shrink-0" />
            </Dialog.Close>
          </div>
          <div className="flex-1 overflow-y-auto px-6 py-6">
            <Dialog.Description asChild>
              <div className="space-y-3 text-clove">{description}</div>
            </Dialog.Description>
            {children}
          </div>
          <div className="flex flex-wrap justify-end gap-3 border-t border-sandal px-6 py-4 max-sm:*:flex-1">{foot}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
