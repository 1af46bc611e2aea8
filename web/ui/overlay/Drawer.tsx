import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from '../IconButton.tsx';
import { useFocusReturn } from './use-focus-return.ts';

type DrawerProps = {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly children: ReactNode;
  /** Stays visible below the scrolling content. */
  readonly foot?: ReactNode;
};

/** A panel from the right. Focus is trapped inside, Escape and the backdrop close it, and the focus returns to the opener. */
export const Drawer = ({ open, onOpenChange, title, children, foot }: DrawerProps) => {
  const opener = useFocusReturn();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-umber/45 data-[state=closed]:animate-fade-out data-[state=open]:animate-fade" />
        <Dialog.Content
          aria-describedby={undefined}
          {...opener}
          className="fixed inset-y-0 right-0 z-50 flex w-full max-w-[27rem] flex-col bg-ivory shadow-modal data-[state=closed]:animate-drawer-out data-[state=open]:animate-drawer"
        >
          <div className="flex items-center justify-between border-b border-sandal px-6 py-4">
            <Dialog.Title className="display text-h3">{title}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton icon={X} label="Close" className="-mr-2.5" />
            </Dialog.Close>
          </div>
          <div className="flex-1 overflow-y-auto px-6 pb-8">{children}</div>
          {foot && <div className="border-t border-sandal bg-ivory px-6 py-4">{foot}</div>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
