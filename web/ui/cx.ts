/** Joins class names and drops falsy ones: `cx('flex', wide && 'w-full', className)`. */
export const cx = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ');
