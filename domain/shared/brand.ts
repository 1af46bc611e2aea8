declare const brand: unique symbol;

/** A value that only its constructor can make: `Brand<number, 'Paise'>` is a number, but no number is one. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
