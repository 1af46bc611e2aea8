import { PolicyList, PolicyPage, SupportEmail } from './PolicyPage.tsx';

const sections = [
  {
    title: 'Returns',
    body: (
      <p>
        You may return an unopened bottle within <strong className="font-medium text-ink">14 days</strong> of delivery: say so on the page
        of your order. Proof of purchase is required.
      </p>
    ),
  },
  {
    title: 'Refunds',
    body: (
      <p>
        A refund goes to the original payment method within 7–10 business days of the bottle reaching us; what was paid in cash comes back
        by bank or UPI transfer.
      </p>
    ),
  },
  {
    title: 'Exchanges',
    body: (
      <p>
        We exchange only what arrived defective, damaged or wrong. Send a photograph with your order number and we will send the right
        bottle.
      </p>
    ),
  },
  {
    title: 'Non-returnable Items',
    body: (
      <>
        <p>These cannot come back to us:</p>
        <PolicyList items={['Gift cards', 'Personalized items', 'Final sale or clearance items', 'Perishable goods']} />
      </>
    ),
  },
  {
    title: 'Shipping Returns',
    body: <p>Return shipping is paid by you, is non-refundable and may be deducted from the refund.</p>,
  },
  {
    title: 'Contact Us',
    body: (
      <p>
        Questions about a return go to <SupportEmail />.
      </p>
    ),
  },
];

export const ReturnPolicyPage = () => <PolicyPage title="Return Policy" updated="29 November 2026" sections={sections} />;
