import { ArrowUpRight, ChevronDown, PanelLeft, ScrollText, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { Key } from './KeysDialog.tsx';
import { type PanelEntry, usePanelGroups } from './panels.tsx';
import { useMay } from './use-may.ts';

type PanelListProps = { readonly shown: PanelEntry; readonly isPhone?: boolean; readonly onChoose?: () => void };

const rowStyle = (isShown: boolean, isPhone: boolean): string =>
  cx(
    'relative flex items-center gap-3 rounded-xs pr-2 pl-3',
    isPhone ? 'min-h-12' : 'min-h-[2.125rem] text-[0.9375rem]',
    isShown
      ? 'bg-white font-medium text-oxblood before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-oxblood'
      : 'hover:bg-paper',
  );

/** The panels as links. The audit is a page of its own. */
const PanelList = ({ shown, isPhone = false, onChoose }: PanelListProps) => {
  const iconStyle = isPhone ? 'size-5' : 'size-[1.125rem]';
  const groups = usePanelGroups();
  const mayAudit = useMay()('audit');
  return groups.map((group, index) => (
    <ul
      key={group[0]?.id}
      className={cx(index > 0 && (isPhone ? 'mt-2 border-t border-sandal/80 pt-2' : 'mt-1.5 border-t border-sandal/80 pt-1.5'))}
    >
      {group.map(({ id, label, icon: Icon, Waiting }) => (
        <li key={id}>
          <Link
            to={`?panel=${id}`}
            aria-current={id === shown.id ? 'page' : undefined}
            onClick={onChoose}
            className={rowStyle(id === shown.id, isPhone)}
          >
            <Icon className={cx(iconStyle, id !== shown.id && 'text-clove')} strokeWidth={1.5} />
            <span className="flex-1">{label}</span> {Waiting && <Waiting />}
          </Link>
        </li>
      ))}
      {mayAudit && index === groups.length - 1 && (
        <li>
          <Link to={pages.audit} className={rowStyle(false, isPhone)}>
            <ScrollText className={cx(iconStyle, 'text-clove')} strokeWidth={1.5} />
            <span className="flex-1">Audit</span>
            <ArrowUpRight className="size-3.5 text-clove" strokeWidth={1.5} />
          </Link>
        </li>
      )}
    </ul>
  ));
};

/** The sidebar of wide screens. */
export const PanelNav = ({ shown, onKeys }: { readonly shown: PanelEntry; readonly onKeys: () => void }) => (
  <nav aria-label="Panels" className="sticky top-[5.25rem] hidden self-start xl:block">
    <h1 className="display flex min-h-10 items-center pl-3 text-[1.375rem] leading-none">Site Manager</h1>
    <div className="mt-2">
      <PanelList shown={shown} />
    </div>
    <button
      type="button"
      onClick={onKeys}
      className="mt-3 flex min-h-9 w-full items-center gap-2 border-t border-sandal/80 pt-1 pl-3 text-xs text-clove hover:text-ink"
    >
      <Key>?</Key>
      <span>keys</span>
    </button>
  </nav>
);

/** The bar of narrow screens: it names the panel, and opens the list of them as a drawer. */
export const PanelBar = ({ shown }: { readonly shown: PanelEntry }) => {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <div className="sticky top-16 z-20 -mx-gutter flex h-14 items-center border-b border-sandal/70 bg-ivory px-gutter xl:hidden">
      <h1 className="min-w-0">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className="-ml-2 flex min-h-12 min-w-0 items-center gap-3 rounded-xs px-2 text-left"
        >
          <PanelLeft className="size-[1.375rem]" strokeWidth={1.5} />
          <span className="min-w-0">
            <span className="block text-xs leading-tight text-clove">Site Manager</span>{' '}
            <span className="display block truncate text-[1.3125rem] leading-tight">{shown.label}</span>{' '}
            <span className="sr-only">Choose a panel</span>
          </span>
          <ChevronDown className="size-4 text-clove" strokeWidth={1.5} />
        </button>
      </h1>
      <Dialog
        open={isOpen}
        onEscape={close}
        onClickBeside={close}
        aria-labelledby="panels-title"
        className="right-auto flex h-full max-h-none w-[19rem] max-w-[88vw] flex-col bg-ivory data-[state=closed]:animate-fade-out data-[state=open]:animate-fade xl:hidden"
      >
        <div className="flex items-center justify-between border-b border-sandal py-2 pr-2 pl-5">
          <h2 id="panels-title" className="display text-h3">
            Site Manager
          </h2>
          <IconButton icon={X} label="Close" onClick={close} />
        </div>
        <nav aria-label="Panels" className="flex-1 overflow-y-auto px-2 py-3">
          <PanelList shown={shown} isPhone onChoose={close} />
        </nav>
      </Dialog>
    </div>
  );
};
