import { cx } from '../../ui/cx.ts';

type Column = { readonly title: string; readonly className?: string };

export const TableHead = ({ columns }: { readonly columns: readonly (Column | string)[] }) => (
  <thead>
    <tr className="border-b border-sandal">
      {columns.map((column) => {
        const { title, className } = typeof column === 'string' ? { title: column } : column;
        return (
          <th key={title} scope="col" className={cx('py-3 pr-6 text-left text-[0.8125rem] font-medium text-clove', className)}>
            {title}
          </th>
        );
      })}
    </tr>
  </thead>
);
