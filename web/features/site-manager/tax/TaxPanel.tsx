import { useState } from 'react';
import { parseDate, type CalendarDate, type Instant } from '#domain/shared/time.ts';
import { isHsn, isTaxRate } from '#domain/tax/rates.ts';
import { ratesOn, type TaxRule } from '#domain/tax/tax.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { type FieldErrors, findMissing, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { LoadFailed } from '../../../ui/feedback/LoadFailed.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Status } from '../../../ui/feedback/Status.tsx';
import { getMessage } from '../../../lib/http/api.ts';
import { dateText, momentText } from '../../../lib/dates.ts';
import { today } from '../calendar-days.ts';
import { PanelHead } from '../PanelHead.tsx';
import { TableHead } from '../TableHead.tsx';
import { adminApi } from '../admin-api.ts';

type SetRule = TaxRule & { readonly setAt: Instant; readonly by: string };

type NewRule = { readonly hsn: string; readonly rate: number; readonly from: string };

const taxApi = adminApi.enhanceEndpoints({ addTagTypes: ['Tax'] }).injectEndpoints({
  endpoints: (build) => ({
    taxRules: build.query<readonly SetRule[], void>({
      query: () => ({ url: '/admin/tax', fallback: 'The tax rates could not be loaded. Check your connection.' }),
      transformResponse: ({ rules }: { readonly rules: readonly SetRule[] }) => rules,
      providesTags: ['Tax'],
    }),
    setTaxRate: build.mutation<TaxRule, NewRule>({
      query: (rule) => ({ url: '/admin/tax', method: 'POST', data: rule, fallback: 'The rate could not be set. Please try again.' }),
      invalidatesTags: ['Tax'],
    }),
  }),
});

const { useTaxRulesQuery, useSetTaxRateMutation } = taxApi;

export const TaxPanel = () => {
  const { data: rules, error, isFetching, refetch } = useTaxRulesQuery();
  return (
    <section aria-label="Tax">
      <PanelHead title="Tax" />
      <RuleForm />
      {rules && rules.length > 0 && <RulesTable rules={rules} />}
      {rules?.length === 0 && <EmptyState title="There is no rate yet" />}
      {!rules && error && !isFetching && <LoadFailed onRetry={() => void refetch()}>{getMessage(error)}</LoadFailed>}
      {!rules && isFetching && <Skeleton className="mt-6 h-64" />}
    </section>
  );
};

/** Of two rules that begin on the same day, the later one applies; a rule that begins later replaces an earlier one. */
const describeState = (rule: SetRule, rules: readonly TaxRule[], day: CalendarDate): string => {
  const isLast = rules.findLast(({ hsn, from }) => hsn === rule.hsn && from === rule.from) === rule;
  if (!isLast) return 'Replaced';
  if (rule.from > day) return 'To come';
  const now = ratesOn({ rules: rules.filter(({ from }) => from <= rule.from) }, day).get(rule.hsn);
  const isNewest = !rules.some(({ hsn, from }) => hsn === rule.hsn && from > rule.from && from <= day);
  return isNewest && now === rule.rate ? 'Applies today' : 'Ended';
};

const columns = ['HSN', 'Rate', 'From', 'Today'];

const RulesTable = ({ rules }: { readonly rules: readonly SetRule[] }) => {
  const shown = rules.toSorted((one, other) => one.hsn.localeCompare(other.hsn) || other.from.localeCompare(one.from));
  const day = today();
  return (
    <table className="mt-8 w-full border-t border-ink/80">
      <caption className="sr-only">Tax rates by HSN code, the newest first</caption>
      <TableHead columns={columns} />
      <tbody>
        {shown.map((rule) => {
          const state = describeState(rule, rules, day);
          return (
            <tr
              key={`${rule.hsn} ${rule.from} ${rule.setAt} ${rule.rate}`}
              className="border-b border-sandal/70 align-top text-[0.9375rem]"
            >
              <th scope="row" className="figures py-3 pr-6 text-left font-medium">
                {rule.hsn}
              </th>
              <td className="figures py-3 pr-6">{rule.rate}%</td>
              <td className="figures py-3 pr-6">{dateText(rule.from)}</td>
              <td className="py-3">
                <span className={state === 'Applies today' ? 'font-medium' : 'text-clove'}>{state}</span>
                <span className="block text-[0.8125rem] text-clove">
                  Set <span className="figures">{momentText(rule.setAt)}</span> by {rule.by}
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

type RuleValues = { readonly hsn: string; readonly rate: string; readonly from: string };

const parseRate = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

const findErrors = ({ hsn, rate, from }: RuleValues): FieldErrors => ({
  ...(!isHsn(hsn.trim()) && { hsn: '4, 6 or 8 digits' }),
  ...(!isTaxRate(parseRate(rate)) && { rate: 'From 0 to 100, with two decimals at most' }),
  ...(parseDate(from) === undefined ? { from: 'A day' } : from < today() && { from: 'From today on, or later' }),
  ...findMissing(['hsn', 'rate', 'from'], { hsn, rate, from }),
});

const RuleForm = () => {
  const [setRate] = useSetTaxRateMutation();
  const [done, setDone] = useState('');
  const { field, message, submit, change, isSending } = useValidatedForm<RuleValues>({
    defaultValues: { hsn: '', rate: '', from: today() },
    validate: findErrors,
    send: async ({ hsn, rate, from }) => {
      setDone('');
      const rule = await setRate({ hsn: hsn.trim(), rate: parseRate(rate), from }).unwrap();
      change({ hsn: '', rate: '' });
      setDone(`${rule.hsn} is taxed at ${rule.rate}% from ${dateText(rule.from)} on`);
    },
  });
  return (
    <form noValidate onSubmit={submit} className="mt-6 rounded-sm border border-sandal bg-white p-5 sm:p-7">
      <h3 className="text-[1.0625rem] font-medium">A new rate</h3>
      <p className="mt-1 text-[0.9375rem] text-clove">
        Checkouts use the rate of their day. Orders that are already checked out keep theirs.
      </p>
      {message !== undefined && <Alert className="mt-4">{message}</Alert>}
      <div className="mt-5 grid gap-5 sm:grid-cols-[1fr_1fr_1fr_auto] sm:items-start">
        <Field {...field('hsn')} label="HSN code" inputMode="numeric" autoComplete="off" />
        <Field {...field('rate')} label="Rate in %" inputMode="decimal" autoComplete="off" />
        <Field {...field('from')} label="From" type="date" min={today()} />
        <Button type="submit" className="sm:mt-7" busy={isSending ? 'Saving...' : undefined}>
          Set Rate
        </Button>
      </div>
      <Status className="mt-3 min-h-6 text-[0.9375rem] font-medium text-khus-deep">{done}</Status>
    </form>
  );
};
