import { ArrowLeft, ClipboardCheck, ClipboardPaste, MapPin, Truck, X } from 'lucide-react';
import { type ClipboardEvent, type ComponentProps, useId, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { findShipmentProblems, mapShipment, shipmentLimits, type ShipmentField } from '#domain/order/shipment-texts.ts';
import { states } from '#domain/shared/states.ts';
import { count } from '../../../../lib/format.ts';
import { Button } from '../../../../ui/Button.tsx';
import { cx } from '../../../../ui/cx.ts';
import { IconButton } from '../../../../ui/IconButton.tsx';
import type { AdminStore } from '../../admin-store.ts';
import type { AdminOrder } from '../../admin-types.ts';
import { PackingMarks } from '../order-marks.tsx';
import type { Job } from './batch-slice.ts';
import { parseShipments, type Pasted } from './parse-shipments.ts';
import { type ParcelTexts, type Sheet, shipmentSheetSlice, textsOf } from './shipment-sheet.ts';

const { orderTakenOff, parcelTyped, sheetReplaced, courierTyped } = shipmentSheetSlice.actions;

const titles: Readonly<Record<ShipmentField, string>> = {
  courier: 'Courier',
  trackingNumber: 'Number',
  trackingUrl: 'Link for the customer',
};

const COURIERS = ['Blue Dart', 'Delhivery', 'DTDC', 'Ecom Express', 'India Post', 'XpressBees'];

const bottles = ({ items }: AdminOrder): string =>
  count(
    items.reduce((sum, { quantity }) => sum + quantity, 0),
    'bottle',
  );

type ShipTableProps = { readonly onBack: () => void; readonly onShip: (jobs: readonly Job[]) => void };

/** Courier and number of each parcel, typed or pasted from a spreadsheet, before all are shipped. */
export const ShipTable = ({ onBack, onShip }: ShipTableProps) => {
  const shown = useSelector(({ shipmentSheet }: ReturnType<AdminStore['getState']>) => shipmentSheet);
  const { orders, sheet, courier } = shown;
  const dispatch = useDispatch<AdminStore['dispatch']>();
  const [before, setBefore] = useState<Sheet>();
  const [pasted, setPasted] = useState<Pasted | 'blocked'>();
  const [isAsked, setAsked] = useState(false);
  const couriers = useId();

  const of = (order: AdminOrder): ParcelTexts => textsOf(order, shown);
  const type = ({ _id: id }: AdminOrder, changes: Partial<ParcelTexts>) => void dispatch(parcelTyped({ id, changes }));
  const problemsOf = (order: AdminOrder) => findShipmentProblems(mapShipment((field) => of(order)[field].trim()));
  const faulty = orders.filter((order) => Object.keys(problemsOf(order)).length > 0);
  const numbered = orders.filter((order) => of(order).trackingNumber.trim() !== '').length;

  const paste = (text: string): boolean => {
    const found = parseShipments(text, new Set(orders.map(({ orderNumber }) => String(orderNumber))));
    if (found.rows.size === 0 && !text.includes('\n')) return false;
    setBefore(sheet);
    const pastedInto = orders.map(({ _id, orderNumber }) => [_id, { ...sheet[_id], ...found.rows.get(String(orderNumber)) }]);
    dispatch(sheetReplaced({ ...sheet, ...Object.fromEntries(pastedInto) }));
    setPasted(found);
    return true;
  };
  const pasteFromButton = async (): Promise<void> => {
    try {
      paste(await navigator.clipboard.readText());
    } catch {
      setPasted('blocked');
    }
  };
  const onPaste = (event: ClipboardEvent): void => {
    // One value without an order number goes where the cursor is.
    if (paste(event.clipboardData.getData('text'))) event.preventDefault();
  };
  const ship = (): void => {
    setAsked(true);
    if (faulty.length > 0) return;
    onShip(
      orders.map((order) => {
        const { placeOfSupply, ...texts } = of(order);
        const filled = Object.entries({ ...texts, placeOfSupply }).flatMap(([name, text]) =>
          text.trim() === '' ? [] : [[name, text.trim()]],
        );
        return { order, shipment: Object.fromEntries(filled) };
      }),
    );
  };

  return (
    <section aria-label={`Ship ${count(orders.length, 'order')}`} onPaste={onPaste}>
      <div className="flex flex-wrap items-center gap-3">
        <IconButton icon={ArrowLeft} label="Back to the orders" onClick={onBack} className="-ml-2" />
        <h2 tabIndex={-1} ref={takeFocus} className="display min-h-10 text-[1.625rem] leading-10 outline-none lg:text-[2rem]">
          Ship {count(orders.length, 'order')}
        </h2>
        <div className="flex flex-wrap items-center gap-2 max-lg:w-full lg:ml-auto">
          <Cell
            label="One courier for all"
            placeholder="One courier for all"
            list={couriers}
            maxLength={shipmentLimits.courier}
            value={courier}
            onChange={({ target }) => dispatch(courierTyped(target.value))}
            className="w-48 max-lg:flex-1"
          />
          <Button kind="outline" onClick={() => void pasteFromButton()}>
            <ClipboardPaste className="size-4" strokeWidth={1.5} />
            <span>Paste</span>
          </Button>
        </div>
      </div>
      <p className="mt-2 max-w-[46rem] text-[0.9375rem] text-clove">
        Copy order number, courier and tracking number from a spreadsheet and paste them anywhere here. Each customer gets a mail with the
        link.
      </p>
      <PasteNotice
        pasted={pasted}
        onUndo={before && (() => (dispatch(sheetReplaced(before)), setBefore(undefined), setPasted(undefined)))}
      />
      <datalist id={couriers}>
        {COURIERS.map((courier) => (
          <option key={courier} value={courier}>
            {courier}
          </option>
        ))}
      </datalist>
      <ul aria-label="Parcels" className="mt-3 border-t border-ink/80 text-[0.875rem]">
        {orders.map((order) => {
          const typed = of(order);
          const problems = isAsked ? problemsOf(order) : {};
          return (
            <li
              key={order._id}
              className="grid gap-x-3 gap-y-2 border-b border-sandal/70 py-2 max-lg:py-4 lg:grid-cols-[8.5rem_minmax(0,1fr)_7rem_10rem_12rem_12rem_2.25rem] lg:items-center"
            >
              <span className="figures font-semibold tracking-[0.01em] lg:pl-2">{order.orderNumber}</span>
              <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
                <bdi className="truncate">{placeText(order)}</bdi>
                {order.placeOfSupply === null && (
                  <StateChoice order={order} value={typed.placeOfSupply} onChoose={(placeOfSupply) => type(order, { placeOfSupply })} />
                )}
              </span>
              <span className="figures inline-flex items-center gap-2 text-clove">
                <span>{bottles(order)}</span>
                <PackingMarks order={order} />
              </span>
              {(Object.keys(titles) as ShipmentField[]).map((field) => (
                <Cell
                  key={field}
                  label={`${titles[field]} of ${order.orderNumber}`}
                  placeholder={titles[field]}
                  problem={problems[field]}
                  maxLength={shipmentLimits[field]}
                  list={field === 'courier' ? couriers : undefined}
                  value={typed[field]}
                  onChange={({ target }) => type(order, { [field]: target.value })}
                />
              ))}
              <IconButton
                icon={X}
                iconClass="size-4"
                label={`Take ${order.orderNumber} off this list`}
                onClick={() => dispatch(orderTakenOff(order._id))}
                className="text-clove lg:size-9!"
              />
            </li>
          );
        })}
      </ul>
      <div className="sticky bottom-0 z-10 -mx-gutter mt-6 border-t border-sandal bg-ivory px-gutter py-3 lg:mx-0 lg:px-0">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p role="status" className="figures text-[0.9375rem]">
            {isAsked && faulty.length > 0 ? (
              <span className="text-sindoor">{count(faulty.length, 'row')} cannot be shipped so; what is wrong stands in them.</span>
            ) : (
              <>
                <span className="font-medium">
                  {numbered} of {orders.length} have a number.
                </span>{' '}
                {numbered < orders.length && <span className="text-clove">The others leave without one; it can follow later.</span>}
              </>
            )}
          </p>
          <Button onClick={ship} disabled={orders.length === 0} className="min-w-44 max-sm:w-full">
            <Truck className="size-[1.125rem]" strokeWidth={1.5} />
            <span>Ship {count(orders.length, 'order')}</span>
          </Button>
        </div>
      </div>
    </section>
  );
};

export const placeText = ({ shippingAddress: { name, city } }: AdminOrder): string => [name, city].filter(Boolean).join(', ');

const takeFocus = (heading: HTMLElement | null): void => heading?.focus();

type CellProps = ComponentProps<'input'> & { readonly label: string; readonly problem?: string | undefined };

const Cell = ({ label, problem, className, ...input }: CellProps) => {
  const id = useId();
  return (
    <span className={cx('block', className)}>
      <input
        {...input}
        aria-label={label}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : id}
        autoComplete="off"
        className={cx(
          'figures h-11 w-full rounded-xs border bg-white px-3 text-[0.875rem] placeholder:text-clove/90 lg:h-9',
          problem === undefined ? 'border-teak hover:border-ink' : 'border-sindoor shadow-[inset_0_0_0_1px_var(--color-sindoor)]',
        )}
      />
      {problem !== undefined && (
        <span id={id} className="mt-1 block text-xs text-sindoor">
          {problem}
        </span>
      )}
    </span>
  );
};

type StateChoiceProps = { readonly order: AdminOrder; readonly value: string; readonly onChoose: (state: string) => void };

const StateChoice = ({ order, value, onChoose }: StateChoiceProps) => (
  <span className="flex items-center gap-2">
    <MapPin className="size-4 text-kesar" strokeWidth={1.8} />
    <select
      aria-label={`State of delivery of ${order.orderNumber}, for the invoice`}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
      className="h-11 w-36 rounded-xs border border-teak bg-white px-2 text-[0.875rem] hover:border-ink lg:h-9"
    >
      <option value="">Which state?</option>
      {states.map((state) => (
        <option key={state} value={state}>
          {state}
        </option>
      ))}
    </select>
  </span>
);

type PasteNoticeProps = { readonly pasted: Pasted | 'blocked' | undefined; readonly onUndo: (() => void) | undefined };

/** What a paste did. The region is always there, so that a screen reader says what comes into it. */
const PasteNotice = ({ pasted, onUndo }: PasteNoticeProps) => (
  <div role="status" className={cx(pasted !== undefined && 'mt-4')}>
    {pasted === 'blocked' && (
      <p className="rounded-xs bg-paper px-4 py-2.5 text-[0.9375rem]">
        The browser does not let this page read what was copied. Press Ctrl+V here.
      </p>
    )}
    {typeof pasted === 'object' && (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xs bg-khus-wash px-4 py-2.5 text-[0.9375rem] text-khus-deep">
        <ClipboardCheck className="size-[1.125rem]" strokeWidth={1.8} />
        <p className="figures min-w-0 flex-1 wrap-anywhere">
          <span className="font-medium">{count(pasted.rows.size, 'row')} pasted.</span> <Strangers strangers={pasted.strangers} />
        </p>
        {onUndo && (
          <button type="button" onClick={onUndo} className="link inline-flex min-h-11 items-center font-semibold lg:min-h-8">
            Undo
          </button>
        )}
      </div>
    )}
  </div>
);

const STRANGERS_NAMED = 5;

const Strangers = ({ strangers }: Pick<Pasted, 'strangers'>) => {
  const named = strangers.slice(0, STRANGERS_NAMED).map(({ line, text }) => `line ${line}, ${text.slice(0, 40)}`);
  const more = strangers.length - named.length;
  return <span>{named.length > 0 && `None of these orders: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`}</span>;
};
