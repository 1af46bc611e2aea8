import { nanoid } from '@reduxjs/toolkit';
import { exactPrice } from '#domain/shared/money.ts';
import { parseDate } from '#domain/shared/time.ts';
import { isHsn, isTaxRate } from '#domain/tax/rates.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { type FieldErrors, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { ProgressLine } from '../ProgressLine.tsx';
import { useLazyWhatIfQuery, type WhatIfParams } from '../audit-api.ts';
import { WhatIfTables } from './WhatIfTables.tsx';

type Values = Readonly<Record<'hsn' | 'rate' | 'from' | 'wrap' | 'fee' | 'threshold', string>>;

const NOTHING: Values = { hsn: '', rate: '', from: '', wrap: '', fee: '', threshold: '' };

const isAmount = (text: string): boolean => /^\d+(?:\.\d{1,2})?$/.test(text) && exactPrice(text) !== undefined;
const isRate = (text: string): boolean => /^\d{1,3}(?:\.\d{1,2})?$/.test(text) && isTaxRate(Number(text));

const trimmed = (values: Values): Values => ({
  ...NOTHING,
  ...Object.fromEntries(Object.entries(values).map(([name, text]) => [name, text.trim()])),
});

/** An HSN code requires a rate and vice versa, and so do a fee and its threshold. */
const findErrors = (values: Values): FieldErrors => {
  const { hsn, rate, from, wrap, fee, threshold } = trimmed(values);
  const amount = 'Rupees, with two decimals at most';
  return {
    ...((hsn !== '' || rate !== '') && {
      ...(!isHsn(hsn) && { hsn: '4, 6 or 8 digits' }),
      ...(!isRate(rate) && { rate: 'From 0 to 100, with two decimals at most' }),
    }),
    ...(from !== '' && parseDate(from) === undefined && { from: 'A day' }),
    ...(wrap !== '' && !isAmount(wrap) && { wrap: amount }),
    ...((fee !== '' || threshold !== '') && {
      ...(!isAmount(fee) && { fee: amount }),
      ...(!isAmount(threshold) && { threshold: amount }),
    }),
  };
};

const toParams = (values: Values): WhatIfParams => {
  const { hsn, rate, from, wrap, fee, threshold } = trimmed(values);
  return {
    ...(hsn !== '' && { rate: `${hsn}=${rate}` }),
    ...(from !== '' && { from }),
    ...(wrap !== '' && { wrap }),
    ...(fee !== '' && { shipping: `${fee}:${threshold}` }),
  };
};

/** A form that shows what all orders would have cost under another tax rate, gift wrap fee or shipping rule. It changes nothing. */
export const WhatIf = () => {
  const [begin, { data, reset }] = useLazyWhatIfQuery();
  const { field, submit } = useValidatedForm<Values>({
    defaultValues: NOTHING,
    validate: findErrors,
    send: (values) => void begin({ params: toParams(values), run: nanoid() }),
  });
  return (
    <section aria-labelledby="what-if">
      <h2 id="what-if" className="display text-h3">
        What if
      </h2>
      <p className="mt-1 max-w-[46rem] text-[0.9375rem] text-clove">
        What past orders would have cost under another tax rate, gift wrap fee or shipping rule. Counted are placed orders that were neither
        cancelled nor returned. What is left empty stays as it is, and nothing is changed.
      </p>
      <form noValidate onSubmit={submit} className="mt-5 rounded-sm border border-sandal bg-white p-5 sm:p-7">
        <div className="grid grid-cols-2 gap-5 lg:grid-cols-6 lg:items-start">
          <Field {...field('hsn')} label="HSN code" inputMode="numeric" autoComplete="off" />
          <Field {...field('rate')} label="Rate in %" inputMode="decimal" autoComplete="off" />
          <Field {...field('wrap')} label="Gift wrap in ₹" inputMode="decimal" autoComplete="off" />
          <Field {...field('fee')} label="Shipping in ₹" inputMode="decimal" autoComplete="off" />
          <Field {...field('threshold')} label="Free from ₹" inputMode="decimal" autoComplete="off" />
          <Field {...field('from')} label="For checkouts from" type="date" />
        </div>
        <div className="mt-5 flex min-h-11 flex-wrap items-center gap-3">
          {data?.state === 'running' ? (
            <>
              <span className="text-[0.875rem] text-clove">{data.doing || 'Beginning'}</span>
              <ProgressLine label="Working it out" progress={data.progress} />
              <Button kind="quiet" onClick={reset}>
                Stop
              </Button>
            </>
          ) : (
            <Button type="submit" kind="outline">
              Work it out
            </Button>
          )}
        </div>
      </form>
      {data?.state === 'failed' && <Alert className="mt-5">{data.message}</Alert>}
      {data?.state === 'done' && <WhatIfTables result={data.result} />}
    </section>
  );
};
