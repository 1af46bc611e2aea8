import type { PersonalText } from '../shared/text.ts';

/** The same data with plain strings for typed texts, as tests write them. */
export type Plain<Data> = Data extends PersonalText
  ? string
  : Data extends string | number | boolean | bigint | null | undefined
    ? Data
    : { readonly [Field in keyof Data]: Plain<Data[Field]> };

/** Data that a test writes with plain strings. */
export const typed = <Data>(plain: Plain<Data>): Data => plain as Data;
