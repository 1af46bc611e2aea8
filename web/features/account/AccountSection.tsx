import { type ReactNode, useRef } from 'react';
import { useFocusWhenLost } from '../../ui/use-focus-when-gone.ts';

/** The parts of the page, in their order. */
export const sectionTitles = {
  profile: 'Profile',
  email: 'E-mail',
  password: 'Password',
  'second-factor': 'Second factor',
  sessions: 'Where you are signed in',
  addresses: 'Addresses',
  wishlist: 'Wishlist',
  data: 'Your data',
} as const;

type AccountSectionProps = { readonly id: keyof typeof sectionTitles; readonly aside?: ReactNode; readonly children: ReactNode };

/** A ruled part of the account page. The contents at its left lead to `id`. Its heading takes a focus that is lost in it. */
export const AccountSection = ({ id, aside, children }: AccountSectionProps) => {
  const section = useRef<HTMLElement>(null);
  const heading = useFocusWhenLost<HTMLHeadingElement>(section);
  return (
    <section
      ref={section}
      id={id}
      aria-labelledby={`${id}-title`}
      className="scroll-mt-28 border-t border-sandal py-8 first:border-gold first:pt-7 lg:py-9"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 ref={heading} tabIndex={-1} id={`${id}-title`} className="display text-h3">
          {sectionTitles[id]}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
};
