import type { OrderView } from '#domain/order/view.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { cx } from '../../../ui/cx.ts';
import { type Change, changesBetween, listFacts } from '../order-fields.ts';

export const OrderState = ({ before, after }: { readonly before: OrderView | null; readonly after: OrderView | null }) => {
  const facts = listFacts(after);
  const changed = new Set(changesBetween(listFacts(before), facts).map(({ name }) => name));
  return (
    <section aria-labelledby="state" className="min-w-0">
      <h3 id="state" className="display text-h3">
        Order after this event
      </h3>
      {facts.length === 0 && <p className="mt-3 text-clove">It was not there yet.</p>}
      <dl className="mt-3 border-t border-sandal">
        {facts.map(({ name, text }) => (
          <div
            key={name}
            className={cx(
              'grid grid-cols-[7.5rem_minmax(0,1fr)] items-baseline gap-x-4 border-b border-sandal/60 py-2.5 sm:grid-cols-[9.5rem_minmax(0,1fr)]',
              changed.has(name) && '-mx-3 bg-khus-wash/60 px-3',
            )}
          >
            <dt className="text-[0.875rem] wrap-anywhere text-clove">{name}</dt>
            <dd className="figures text-[0.9375rem] wrap-anywhere whitespace-pre-line">
              {name === 'Status' ? <Badge status={text} /> : text}
              {changed.has(name) && <span className="sr-only"> (changed)</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

type ChangesProps = { readonly before: OrderView | null; readonly after: OrderView | null };

/** The event's changes. Old values are struck out and new ones marked, so that colour is not the only sign. */
export const OrderChanges = ({ before, after }: ChangesProps) => {
  const changes = changesBetween(listFacts(before), listFacts(after));
  return (
    <section aria-labelledby="changes">
      <h3 id="changes" className="display text-h3">
        What changed
      </h3>
      {changes.length === 0 ? (
        <p className="mt-3 border-t border-ink/80 py-3 text-clove">This event changes nothing that the order shows.</p>
      ) : (
        <table className="mt-3 w-full table-fixed border-t border-ink/80 wrap-anywhere">
          <thead>
            <tr className="border-b border-sandal text-left text-[0.8125rem] text-clove">
              <th scope="col" className="w-[30%] py-2.5 pr-4 font-medium">
                Field
              </th>
              <th scope="col" className="w-[30%] py-2.5 pr-4 font-medium">
                Before
              </th>
              <th scope="col" className="py-2.5 font-medium">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <ChangeRow key={change.name} {...change} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};

const NOTHING = <span className="text-clove">nothing</span>;

const ChangeRow = ({ name, before, after }: Change) => (
  <tr className="border-b border-sandal/70 align-top">
    <th scope="row" className="py-3 pr-4 text-left text-[0.875rem] font-normal text-clove">
      {name}
    </th>
    <td className="figures py-3 pr-4 text-[0.9375rem]">
      {before === undefined ? NOTHING : <del className="rounded-xs bg-sindoor-wash px-1.5 py-0.5 decoration-sindoor/70">{before}</del>}
    </td>
    <td className="figures py-3 text-[0.9375rem]">
      {after === undefined ? NOTHING : <ins className="rounded-xs bg-khus-wash px-1.5 py-0.5 no-underline">{after}</ins>}
    </td>
  </tr>
);
