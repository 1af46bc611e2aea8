/** The head of a table's column. */
export const HEAD_CELL = 'py-3 pr-6 text-left text-[0.8125rem] font-medium text-clove';
