import { cleanup } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { renderPart } from '../../../testing/shop.tsx';
import { PrivacyPolicyPage } from './PrivacyPolicyPage.tsx';
import { ReturnPolicyPage } from './ReturnPolicyPage.tsx';
import { TermsPage } from './TermsPage.tsx';

afterEach(cleanup);

const textOf = (Page: () => React.ReactNode): string => renderPart(<Page />).view.container.textContent;

test('policies promise no mail that is not sent, and no payment that is not taken', () => {
  expect(textOf(ReturnPolicyPage)).not.toMatch(/have an e-mail|reply with a label/);
  expect(textOf(PrivacyPolicyPage)).not.toMatch(/by e-mail first/);
  expect(textOf(TermsPage)).not.toMatch(/confirmation reaches you/);
});

test('the terms name no rate of tax, which staff may change', () => expect(textOf(TermsPage)).not.toMatch(/\d\s?%/));

test('what an order asks for is named, its note too', () => expect(textOf(PrivacyPolicyPage)).toMatch(/your note on the order.*gift card/));

test('whoever learns something of a shopper is named', () => {
  for (const name of ['courier', 'Google', 'Razorpay']) expect(textOf(PrivacyPolicyPage)).toContain(name);
});
