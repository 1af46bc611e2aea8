import type { PersonalText } from '../shared/text.ts';

/** Tests write the same data with plain strings for typed texts. */
export type Plain<Data> = Data extends PersonalText
  ? string
  : Data extends string | number | boolean | bigint | null | undefined
    ? Data
    : { readonly [Field in keyof Data]: Plain<Data[Field]> };

export const typed = <Data>(plain: Plain<Data>): Data => plain as Data;
