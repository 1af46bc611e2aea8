import { Fragment, type ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/form/Choice.tsx';
import { Modal } from '../../ui/overlay/Modal.tsx';
import { usePanels } from './panels.tsx';
import { switchKeys, useKeysSwitch } from './use-desk-keys.ts';

export const Key = ({ children }: { readonly children: ReactNode }) => (
  <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-xs border border-sandal bg-ivory px-1.5 font-sans text-xs leading-none text-clove">
    {children}
  </kbd>
);

const useKeys = (): readonly (readonly [string, string])[] => {
  const panels = usePanels();
  return [
    ['/', 'Search'],
    ['j', 'Row below'],
    ['k', 'Row above'],
    ['x', 'Select the row'],
    ['⇧ x', 'Select up to here'],
    ['Enter', 'Open the order'],
    ['Esc', 'Close, then clear'],
    ['n', 'Next step of the row'],
    ['s', 'Ship what is selected'],
    ['p', 'Slips and labels'],
    ...panels.flatMap(({ goKey, label }): (readonly [string, string])[] => (goKey === undefined ? [] : [[`g ${goKey}`, label]])),
    ['?', 'This list'],
  ];
};

export const KeysDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Modal
    open
    title="Keys"
    description={<p>They never act while something is being typed.</p>}
    onClose={onClose}
    foot={
      <Button kind="outline" onClick={onClose}>
        Close
      </Button>
    }
  >
    <dl className="mt-4 gap-x-10 sm:columns-2">
      {useKeys().map(([key, meaning]) => (
        <div
          key={key}
          className="flex min-h-10 break-inside-avoid items-center justify-between gap-6 border-b border-sandal/70 text-[0.9375rem]"
        >
          <dt className="order-2 flex gap-1">
            {key.split(' ').map((part) => (
              <Fragment key={part}>
                <Key>{part}</Key>
              </Fragment>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
    <div className="mt-3">
      <Checkbox label="Use these keys" checked={useKeysSwitch()} onChange={({ target }) => switchKeys(target.checked)} />
    </div>
  </Modal>
);
