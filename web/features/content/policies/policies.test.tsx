import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { orderTexts } from '#domain/order/texts.ts';
import { renderPart } from '../../../testing/shop.tsx';
import { PrivacyPolicyPage } from './PrivacyPolicyPage.tsx';
import { ReturnPolicyPage } from './ReturnPolicyPage.tsx';
import { TermsPage } from './TermsPage.tsx';

/** Sections and sentences that the policies must have. */
const policies = [
  {
    Page: ReturnPolicyPage,
    sections: ['Returns', 'Refunds', 'Exchanges', 'Non-returnable Items', 'Shipping Returns', 'Contact Us'],
    says: [
      '14 days of delivery',
      '7–10 business days',
      'original payment method',
      'Proof of purchase is required',
      'non-refundable',
      'may be deducted from the refund',
      'Gift cards',
      'Personalized items',
      'Final sale or clearance items',
      'Perishable goods',
      'defective, damaged or wrong',
    ],
  },
  {
    Page: PrivacyPolicyPage,
    sections: [
      'Information We Collect',
      'How We Use Your Information',
      'Data Security',
      'Sharing of Information',
      'Your Rights',
      'Policy Updates',
    ],
    says: ['on the page of your order, in the browser that ordered, or write to us'],
  },
  {
    Page: TermsPage,
    sections: [
      'Acceptance of Terms',
      'User Responsibilities',
      'Orders & Payments',
      'Shipping & Delivery',
      'Returns & Refunds',
      'Intellectual Property',
      'Limitation of Liability',
      'Governing Law',
    ],
    says: [],
  },
];

test.each(policies)('$Page.name says all that it must, and where to write', ({ Page, sections, says }) => {
  const { container } = renderPart(<Page />).view;
  const headings = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
  expect(headings).toEqual(sections.map((section, index) => `${index + 1}. ${section}`));
  for (const words of says) expect(container.textContent).toContain(words);
  expect(screen.getAllByRole('link', { name: 'care@ruhani.example' })[0]?.getAttribute('href')).toBe('mailto:care@ruhani.example');
});

const textOf = (Page: () => React.ReactNode): string => renderPart(<Page />).view.container.textContent;

test('policies promise only mails that are sent and payments that are taken', () => {
  expect(textOf(ReturnPolicyPage)).not.toMatch(/have an e-mail|reply with a label/);
  expect(textOf(PrivacyPolicyPage)).not.toMatch(/by e-mail first/);
  expect(textOf(TermsPage)).not.toMatch(/confirmation reaches you/);
});

test('the terms lead to the return policy, and name no tax rate, because staff may change it', () => {
  expect(textOf(TermsPage)).not.toMatch(/\d\s?%/);
  expect(screen.getByRole('link', { name: 'Return Policy' }).getAttribute('href')).toBe('/return-policy');
});

test('the privacy policy names the data of an order, and everybody who receives data', () => {
  const text = textOf(PrivacyPolicyPage);
  for (const { collected, stored } of Object.values(orderTexts)) for (const part of [collected, stored]) expect(text).toContain(part);
  for (const name of ['courier', 'Google', 'Razorpay']) expect(text).toContain(name);
});
