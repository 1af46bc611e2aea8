import { useSelector } from 'react-redux';
import { selectUser } from '../../features/auth/auth-slice.ts';
import { ContactDetails } from '../../features/contact/ContactDetails.tsx';
import { ContactForm } from '../../features/contact/ContactForm.tsx';
import { contactSaga } from '../../features/contact/contact-saga.ts';
import { contactSlice } from '../../features/contact/contact-slice.ts';
import { selectContent } from '../../features/content/content-slice.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import type { Screen } from '../screen.ts';

const NOBODY = {};

/** Joins site content, the contact form and the account of the shopper. */
const ContactPage = () => {
  usePageTitle('Contact');
  const content = useSelector(selectContent);
  const user = useSelector(selectUser);
  if (!content) return null;
  const { desc, hours, inputs } = content.contact;
  const known = user ? { name: user.name, phone: user.phone, email: user.email } : NOBODY;
  return (
    <div className="page-x grid gap-x-20 gap-y-14 pt-block pb-section lg:grid-cols-[1fr_1.25fr]">
      <div>
        <h1 className="display text-display">Get in Touch</h1>
        <p className="mt-5 max-w-md text-lead text-clove">{desc}</p>
        <ContactDetails {...content.footer.contact} hours={hours} />
      </div>
      <ContactForm inputs={inputs} known={known} />
    </div>
  );
};

export const contactScreen: Screen = { Component: ContactPage, saga: contactSaga, slices: [contactSlice] };
