/**
 * An event of a release that comes after this one, with data that mean nothing here: `laterEvent('CartGiftWrapped')`. As events come out of a
 * log, its type is none of the union that a fold names.
 */
export const laterEvent = (type: string): never => ({ type, data: { ribbon: 'gold', lines: 'two' } }) as never;
