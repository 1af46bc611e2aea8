declare const brand: unique symbol;

/** A value that only its constructor can make: a `Brand<number, 'Paise'>` is a number, but a plain number is not one. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
