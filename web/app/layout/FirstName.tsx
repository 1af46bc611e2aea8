/** How the name stands in the header, as the button that it becomes and before. Below the md breakpoint it is in the menu. */
export const nameStyle =
  '-mr-3 inline-flex min-h-11 items-center gap-1.5 rounded-xs px-3 text-[0.9375rem] font-medium hover:bg-ink/5 max-md:hidden';

/** What a name begins with, cut off where it would push the icons out of the header. */
export const FirstName = ({ name }: { readonly name: string }) => (
  <span className="max-w-24 truncate lg:max-w-40">{name.split(/\s/)[0]}</span>
);
