/**
 * Makes an event of a later release with unknown data: `laterEvent('CartGiftWrapped')`. Like an event from the log, it may have a type
 * outside the union of a fold.
 */
export const laterEvent = (type: string): never => ({ type, data: { ribbon: 'gold', lines: 'two' } }) as never;
