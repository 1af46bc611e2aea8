/**
 * Shared by the menu's trigger and the placeholder shown while the menu's chunk loads. Below the md breakpoint the name is hidden, because
 * the mobile menu shows it.
 */
export const nameStyle =
  '-mr-3 inline-flex min-h-11 items-center gap-1.5 rounded-xs px-3 text-[0.9375rem] font-medium hover:bg-ink/5 max-md:hidden';

/** The first name, truncated so that it cannot push the icons out of the header. */
export const FirstName = ({ name }: { readonly name: string }) => (
  <span className="max-w-24 truncate lg:max-w-40">{name.split(/\s/)[0]}</span>
);
