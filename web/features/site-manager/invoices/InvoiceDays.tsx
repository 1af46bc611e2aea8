import { useState } from 'react';
import { financialYear } from '#domain/invoice/tax-document-numbers.ts';
import { calendarDate, type CalendarDate, daysAfter } from '#domain/shared/time.ts';
import { Field } from '../../../ui/form/Field.tsx';
import { today } from '../calendar-days.ts';
import { Segments } from '../Segments.tsx';
import type { Days } from './invoices-api.ts';

type Period = { readonly from: CalendarDate; readonly to: CalendarDate };

const getMonth = (day: CalendarDate): Period => {
  const from = calendarDate(`${day.slice(0, 7)}-01`);
  const next = daysAfter(from, 31).slice(0, 7);
  return { from, to: daysAfter(calendarDate(`${next}-01`), -1) };
};

const getYear = (day: CalendarDate): Period => {
  const [first, last] = financialYear(day).split('-');
  return { from: calendarDate(`${first}-04-01`), to: calendarDate(`${last}-03-31`) };
};

const periodsOn = (day: CalendarDate): readonly (Days & { readonly value: string; readonly text: string })[] => {
  const [month, year] = [getMonth(day), getYear(day)];
  return [
    { value: 'all', text: 'All' },
    { value: 'month', text: 'This month', ...month },
    { value: 'lastMonth', text: 'Last month', ...getMonth(daysAfter(month.from, -1)) },
    { value: 'year', text: 'This financial year', ...year },
    { value: 'lastYear', text: 'Last financial year', ...getYear(daysAfter(year.from, -1)) },
  ];
};

type InvoiceDaysProps = {
  readonly days: { readonly from?: string; readonly to?: string };
  /** An empty string means that there is no first or last day. */
  readonly onChoose: (from: string, to: string) => void;
};

export const InvoiceDays = ({ days: { from = '', to = '' }, onChoose }: InvoiceDaysProps) => {
  const periods = periodsOn(today());
  const isBackwards = from !== '' && to !== '' && to < from;
  return (
    <div className="mt-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
      <Segments
        label="Period"
        options={periods}
        chosen={periods.find((period) => (period.from ?? '') === from && (period.to ?? '') === to)?.value ?? ''}
        onChoose={(chosen) => {
          const period = periods.find(({ value }) => value === chosen);
          onChoose(period?.from ?? '', period?.to ?? '');
        }}
      />
      <div className="grid w-full grid-cols-2 items-start gap-3 sm:w-auto">
        <DayField label="First day" day={from} onChoose={(day) => onChoose(day, to)} />
        <DayField
          label="Last day"
          day={to}
          error={isBackwards ? 'Before the first day' : undefined}
          onChoose={(day) => onChoose(from, day)}
        />
      </div>
    </div>
  );
};

/** India's GST began on this day. Typing a year passes through earlier ones: `0002`, `0020`, `0202`. */
const EARLIEST = '2017-07-01';

type DayFieldProps = {
  readonly label: string;
  readonly day: string;
  readonly error?: string | undefined;
  readonly onChoose: (day: string) => void;
};

const DayField = ({ label, day, error, onChoose }: DayFieldProps) => {
  const [text, setText] = useState(day);
  const [known, setKnown] = useState(day);
  if (day !== known) {
    setKnown(day);
    setText(day);
  }
  const type = (typed: string): void => {
    setText(typed);
    if (typed === '' || typed >= EARLIEST) onChoose(typed);
  };
  return (
    <Field
      label={label}
      type="date"
      min={EARLIEST}
      value={text}
      error={error}
      onChange={({ target }) => type(target.value)}
      onBlur={() => setText(day)}
    />
  );
};
