/** Joins class names and drops what is not there: `cx('flex', wide && 'w-full', className)`. */
export const cx = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ');
