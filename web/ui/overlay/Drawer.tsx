import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { IconButton } from '../IconButton.tsx';
import { Dialog } from './Dialog.tsx';

type DrawerProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
};

/** A panel from the right, which Escape and a click beside it close. */
export const Drawer = ({ open, onClose, title, children, foot }: DrawerProps) => {
  const id = useId();
  return (
    <Dialog
      open={open}
      onEscape={onClose}
      onClickBeside={onClose}
      aria-labelledby={id}
      className="left-auto flex h-full max-h-none w-full max-w-[27rem] flex-col bg-ivory data-[state=closed]:animate-drawer-out data-[state=open]:animate-drawer"
    >
      <div className="flex items-center justify-between border-b border-sandal px-6 py-4">
        <h2 id={id} className="display text-h3">
          {title}
        </h2>
        <IconButton icon={X} label="Close" className="-mr-2.5" onClick={onClose} />
      </div>
      <div className="flex-1 overflow-y-auto px-6 pb-8">{children}</div>
      {foot && <div className="border-t border-sandal bg-ivory px-6 py-4">{foot}</div>}
    </Dialog>
  );
};
