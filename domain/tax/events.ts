import type { CalendarDate, Instant } from '../shared/time.ts';
import type { Hsn, TaxRate } from './rates.ts';

/** Events are stored for ever: a field may be added as optional, but never renamed or retyped. */
export type TaxEvent =
  /** From this day in India on, goods with this code are taxed at this rate, until a rule of a later day applies. */
  { type: 'TaxRateSet'; data: { hsn: Hsn; rate: TaxRate; from: CalendarDate; setAt: Instant } };
