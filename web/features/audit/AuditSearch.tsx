import { Search } from 'lucide-react';
import { useState, type SubmitEventHandler } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { auditPath, orderPath, searchPath } from './audit-paths.ts';
import { soughtState } from './search-state.ts';

const NAMES_ONE = /^(?:RH-[0-9A-Z]{8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** A whole number or id leads to that order, anything else to the orders that it is found in. */
const pathFor = (text: string): string => (text === '' ? auditPath : NAMES_ONE.test(text) ? orderPath(text) : searchPath(text));

/** What may be somebody's e-mail address stands in no address of a page, which is kept in histories and told to others. */
const isAddress = (text: string): boolean => text.includes('@');

export const AuditSearch = ({ sought }: { readonly sought: string }) => {
  const navigate = useNavigate();
  const [text, setText] = useState(sought);
  const find: SubmitEventHandler = (event) => {
    event.preventDefault();
    const wanted = text.trim();
    void (isAddress(wanted) ? navigate(auditPath, { state: soughtState(wanted) }) : navigate(pathFor(wanted)));
  };
  return (
    <form role="search" aria-label="Orders" onSubmit={find} className="flex w-full gap-2 sm:w-[30rem]">
      <div className="relative flex-1">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2 text-clove"
          strokeWidth={1.5}
        />
        <input
          aria-label="Find an order"
          placeholder="Order number, id or e-mail"
          value={text}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setText(target.value)}
          className="h-12 w-full rounded-xs border border-teak bg-white pr-4 pl-12 hover:border-ink"
        />
      </div>
      <Button type="submit" kind="outline" className="h-12">
        Find
      </Button>
    </form>
  );
};
