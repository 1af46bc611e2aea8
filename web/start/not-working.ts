/** For a page whose scripts did not come: it looks as if it worked, so it is told that it does not, and what to do. */
export const sayNotWorking = (): void => {
  const again = document.createElement('a');
  again.href = location.pathname + location.search;
  again.className = 'link inline-flex min-h-8 items-center font-semibold';
  again.textContent = 'Load the page again';
  const notice = document.createElement('div');
  notice.setAttribute('role', 'alert');
  notice.className =
    'on-dark page-x fixed inset-x-0 bottom-0 z-50 flex min-h-11 flex-wrap items-center gap-x-5 bg-umber py-3 text-[0.9375rem] text-ivory sm:justify-center';
  notice.append('Part of this page did not come, so its buttons do nothing yet. Check your connection.', again);
  document.body.append(notice);
};
