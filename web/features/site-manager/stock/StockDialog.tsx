import { useId, useState } from 'react';
import type { ProductId } from '#domain/shared/ids.ts';
import { LONGEST_REMOVAL_REASON } from '#domain/stock/stock.ts';
import type { StockView } from '#domain/stock/view.ts';
import { Link } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { getMessage } from '../../../lib/http/api.ts';
import { formatNumber } from '../../../lib/format.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Field, TextArea } from '../../../ui/form/Field.tsx';
import { useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { LoadFailed } from '../../../ui/feedback/LoadFailed.tsx';
import { Modal } from '../../../ui/overlay/Modal.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useStockQuery } from '../admin-api.ts';
import { useMay } from '../use-may.ts';
import type { StockRecord, StockChange } from '../admin-types.ts';
import { useNotify } from '../Notices.tsx';
import { Segments } from '../Segments.tsx';
import { listActions, actionFieldErrors, createCommand, type StockAction, type StockForm, stockErrors, words } from './stock-actions.ts';
import { useChangeStockMutation } from './stock-api.ts';
import { pathWith } from '../../../lib/path-with.ts';
import { momentText } from '../../../lib/dates.ts';
import { InSteps } from '../InSteps.tsx';

type StockDialogProps = {
  readonly product: { readonly _id: ProductId; readonly name: string };
  readonly onChanged: () => void;
  readonly onClose: () => void;
};

export const StockDialog = ({ product, onChanged, onClose }: StockDialogProps) => {
  const { data, error, isFetching, refetch } = useStockQuery(product._id);
  const [isSending, setSending] = useState(false);
  return (
    <Modal
      open
      isBusy={isSending}
      onClose={onClose}
      title={`Stock: ${product.name}`}
      description={data && <p className="figures">{sentence(data.stock)}</p>}
      foot={
        <Button kind="quiet" disabled={isSending} onClick={onClose}>
          Done
        </Button>
      }
    >
      {data && <Changing product={product} {...data} onSending={setSending} onChanged={onChanged} onClose={onClose} />}
      {!data && error && !isFetching && <LoadFailed onRetry={() => void refetch()}>{getMessage(error)}</LoadFailed>}
      {!data && (isFetching || !error) && <Skeleton className="h-80" />}
    </Modal>
  );
};

const sentence = (stock: StockView | null): string => {
  if (!stock) return 'Not counted: the product itself says whether it is in stock. Once counted, no more bottles are sold than there are.';
  const { onHand, reserved, available, lowAt } = stock;
  const mark = lowAt === null ? '' : ` Low from ${formatNumber(lowAt)} on.`;
  return `${formatNumber(onHand)} on hand, ${formatNumber(reserved)} reserved for orders, ${formatNumber(available)} available.${mark}`;
};

type ChangingProps = StockRecord & StockDialogProps & { readonly onSending: (isSending: boolean) => void };

const Changing = ({ product, stock, history, onSending, onChanged, onClose }: ChangingProps) => {
  const notify = useNotify();
  const actions = listActions(stock !== null);
  const [chosen, setChosen] = useState<StockAction>(stock ? 'received' : 'count');
  const [done, setDone] = useState<string>();
  const action = actions.find((each) => each === chosen) ?? 'count';
  const choose = (next: StockAction): void => {
    setDone(undefined);
    setChosen(next);
  };
  return (
    <>
      {actions.length > 1 && (
        <div className="mt-5">
          <Segments
            label="What to do"
            options={actions.map((value) => ({ value, text: words[value].text }))}
            chosen={action}
            onChoose={choose}
          />
        </div>
      )}
      <ActionForm
        key={action}
        id={product._id}
        action={action}
        stock={stock}
        onSending={(isSending) => {
          if (isSending) setDone(undefined);
          onSending(isSending);
        }}
        onDone={(said) => {
          onChanged();
          if (action !== 'end') return setDone(said);
          notify({ kind: 'success', message: `${product.name} is no longer counted` });
          onClose();
        }}
      />
      {done !== undefined && (
        <Alert kind="success" className="mt-5">
          {done}
        </Alert>
      )}
      <StockChanges changes={history} />
    </>
  );
};

type ActionFormProps = {
  readonly id: ProductId;
  readonly action: StockAction;
  readonly stock: StockView | null;
  readonly onSending: (isSending: boolean) => void;
  readonly onDone: (said: string) => void;
};

const ActionForm = ({ id, action, stock, onSending, onDone }: ActionFormProps) => {
  const helpId = useId();
  const [change] = useChangeStockMutation();
  const { label, button, help, done } = words[action];
  const {
    field,
    message,
    submit,
    change: setValues,
    isSending,
  } = useValidatedForm<StockForm>({
    defaultValues: { quantity: action === 'lowAt' ? String(stock?.lowAt ?? '') : '', reason: '' },
    validate: (form) => stockErrors(action, form),
    blamed: (refusal) => actionFieldErrors(action, refusal),
    send: async (form) => {
      onSending(true);
      try {
        await change({ id, command: createCommand(action, form) }).unwrap();
      } finally {
        onSending(false);
      }
      if (action !== 'lowAt') setValues({ quantity: '', reason: '' });
      onDone(done(form.quantity.trim() === '' ? null : Number(form.quantity)));
    },
  });
  const note = help(stock);
  const quantity = field('quantity');
  return (
    <form noValidate onSubmit={submit} className="mt-5 grid gap-5">
      {message !== undefined && message !== quantity.error && <Alert>{message}</Alert>}
      {label === undefined ? (
        <p id={helpId}>{note}</p>
      ) : (
        <Field {...quantity} label={label} hint={note} optional={action === 'lowAt'} inputMode="numeric" autoComplete="off" />
      )}
      {action === 'removed' && (
        <TextArea {...field('reason')} label="Reason" rows={2} maxLength={LONGEST_REMOVAL_REASON} hint="Stands in the history." />
      )}
      <Button
        type="submit"
        kind={action === 'end' ? 'outline' : 'primary'}
        aria-describedby={label === undefined ? helpId : undefined}
        busy={isSending ? 'Saving...' : undefined}
        className="justify-self-start"
      >
        {stock ? button : 'Start Counting'}
      </Button>
    </form>
  );
};

const kindText: Readonly<Record<StockChange['kind'], string>> = {
  counted: 'Counted',
  received: 'Received',
  removed: 'Removed',
  reserved: 'Reserved',
  released: 'Released',
  shipped: 'Shipped',
  restocked: 'Came back',
};

const StockChanges = ({ changes }: { readonly changes: readonly StockChange[] }) => (
  <section aria-label="History" className="mt-8">
    <h3 className="display text-h3">History</h3>
    {changes.length === 0 ? (
      <p className="mt-2 text-clove">It was never counted.</p>
    ) : (
      <InSteps rows={changes.map((change, index) => ({ ...change, nth: changes.length - index }))} more="Show earlier changes">
        {(rows) => (
          <ul className="mt-3 border-t border-ink/80">
            {rows.map(({ nth, ...change }) => (
              <Change key={nth} {...change} />
            ))}
          </ul>
        )}
      </InSteps>
    )}
  </section>
);

const Change = ({ at, kind, quantity, reason, by, orderId }: StockChange) => {
  const mayAudit = useMay()('audit');
  return (
    <li className="border-b border-sandal/70 py-3 text-[0.9375rem]">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="figures font-medium">
          {kindText[kind]} {formatNumber(quantity)}
        </span>
        <span className="figures text-[0.8125rem] text-clove">{momentText(at)}</span>
      </span>
      {reason !== undefined && <span className="block wrap-anywhere">{reason}</span>}
      <span className="block text-[0.8125rem] wrap-anywhere text-clove">
        {by}
        {mayAudit && orderId !== undefined && (
          <>
            {' · '}
            <Link to={pathWith(pages.audit, { order: orderId })} className="link">
              Order<span className="sr-only"> of {momentText(at)}</span>
            </Link>
          </>
        )}
      </span>
    </li>
  );
};
