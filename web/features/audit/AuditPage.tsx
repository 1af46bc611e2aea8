import { TextLink } from '../../ui/TextLink.tsx';
import { AuditSearch } from './AuditSearch.tsx';
import { FoundOrders } from './FoundOrders.tsx';
import { LogView } from './log/LogView.tsx';
import { OrderAudit } from './order/OrderAudit.tsx';
import { SecurityLog } from './SecurityLog.tsx';
import { auditPath } from './audit-paths.ts';
import { useSought } from './search-state.ts';

/**
 * What the address asks for: an order (`?order=`, `&at=` after which event), a search (`?q=`), one cart or perfume (`?stream=`), else the
 * whole log, and what was noted for the shop's security.
 */
const Asked = () => {
  const { order, q, stream } = useSought();
  if (order) return <OrderAudit key={order} name={order} />;
  if (q) return <FoundOrders key={q} q={q} />;
  if (stream) return <LogView />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-section">
      <LogView />
      <SecurityLog />
    </div>
  );
};

/** `/audit`: every order as it stood, and who changed it; and the log that all of it is worked out from. */
export const AuditPage = () => {
  const { order, q, stream } = useSought();
  return (
    <div className="page-x pb-section">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5 pt-10 pb-8 md:pt-14">
        <div>
          <h1 className="display text-h1">Audit</h1>
          <p className="mt-2 text-clove">Every order, exactly as it stood, and who changed it.</p>
          {(order ?? q ?? stream) !== null && (
            <TextLink to={auditPath} className="mt-1">
              The whole log
            </TextLink>
          )}
        </div>
        <AuditSearch key={order ?? q} sought={order ?? q ?? ''} />
      </div>
      <Asked />
    </div>
  );
};
