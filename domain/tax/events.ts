import type { CalendarDate, Instant } from '../shared/time.ts';
import type { Hsn, TaxRate } from './rates.ts';

/** Stored for ever: a field may be added as optional, never renamed or retyped. */
export type TaxEvent =
  /** From this day in India on, goods of this code are taxed at this rate, until a later day has another rule. */
  { type: 'TaxRateSet'; data: { hsn: Hsn; rate: TaxRate; from: CalendarDate; setAt: Instant } };
