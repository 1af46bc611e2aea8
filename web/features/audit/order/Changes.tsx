import type { OrderView } from '#domain/order/view.ts';
import { changesBetween, factsOf, type Change } from '../order-fields.ts';

type ChangesProps = { readonly before: OrderView | null; readonly after: OrderView | null };

/** What the event changed: before struck out, after marked, so that colour is never alone. */
export const Changes = ({ before, after }: ChangesProps) => {
  const changes = changesBetween(factsOf(before), factsOf(after));
  return (
    <section aria-labelledby="changes">
      <h3 id="changes" className="display text-h3">
        What changed
      </h3>
      {changes.length === 0 ? (
        <p className="mt-3 border-t border-ink/80 py-3 text-clove">Nothing that the order shows.</p>
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
