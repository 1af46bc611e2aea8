import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { selectUser } from '../../features/auth/auth-slice.ts';
import { ContactDetails } from '../../features/contact/ContactDetails.tsx';
import { ContactForm } from '../../features/contact/ContactForm.tsx';
import { contactSlice } from '../../features/contact/contact-slice.ts';
import { selectContent } from '../../features/content/content-slice.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import type { Screen } from '../screen.ts';
import { useShopper } from '../use-shopper.ts';

const ContactPage = () => {
  usePageTitle('Contact');
  const content = useSelector(selectContent);
  const user = useSelector(selectUser);
  const shopper = useShopper(user);
  const known = useMemo(() => (user ? { name: user.name, phone: user.phone, email: user.email } : {}), [user]);
  if (!content) return null;
  const { desc, hours, inputs } = content.contact;
  return (
    <div className="page-x grid gap-x-20 gap-y-14 pt-block pb-section lg:grid-cols-[1fr_1.25fr]">
      <div>
        <h1 className="display text-display">Get in Touch</h1>
        <p className="mt-5 max-w-md text-lead text-clove">{desc}</p>
        <ContactDetails {...content.footer.contact} hours={hours} />
      </div>
      <ContactForm key={shopper} inputs={inputs} known={known} />
    </div>
  );
};

export const contactScreen: Screen = { Component: ContactPage, slices: [contactSlice] };
