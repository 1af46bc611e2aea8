import type { ReactNode } from 'react';

/** Lucide has no brand marks; these stand on its grid of 24 px with its stroke. */
const marks: Readonly<Record<'Facebook' | 'Instagram' | 'Twitter', ReactNode>> = {
  Facebook: <path d="M14 8.5h2.2V5.2h-2.6c-2.4 0-3.9 1.5-3.9 4v2H7.5v3.3h2.2V21h3.4v-6.5h2.5l.5-3.3h-3V9.6c0-.8.3-1.1.9-1.1Z" />,
  Instagram: (
    <>
      <rect x="4" y="4" width="16" height="16" rx="4.5" />
      <circle cx="12" cy="12" r="3.7" />
      <path d="M16.6 7.4h.01" />
    </>
  ),
  Twitter: (
    <path d="M20.5 6.6c-.6.3-1.3.5-2 .6.7-.5 1.2-1.1 1.5-1.9-.7.4-1.4.7-2.2.8A3.5 3.5 0 0 0 11.8 9 9.6 9.6 0 0 1 4.6 5.5a3.5 3.5 0 0 0 1.1 4.6c-.6 0-1.1-.2-1.6-.4 0 1.7 1.2 3.1 2.8 3.5-.5.1-1 .2-1.5.1.4 1.4 1.7 2.3 3.2 2.4A7 7 0 0 1 3.5 17.2 9.8 9.8 0 0 0 8.8 18.7c6.5 0 10.1-5.5 9.9-10.4.7-.5 1.3-1 1.8-1.7Z" />
  ),
};

export const BrandMark = ({ of }: { readonly of: keyof typeof marks }) => (
  <svg
    className="size-5"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {marks[of]}
  </svg>
);
