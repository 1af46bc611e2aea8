import { Link } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { PolicyPage, SupportEmail } from './PolicyPage.tsx';

const sections = [
  {
    title: 'Acceptance of Terms',
    body: <p>By ordering from this shop, or by opening an account in it, you agree to these terms. If you do not, please do not order.</p>,
  },
  {
    title: 'User Responsibilities',
    body: (
      <p>
        Give us an address that a courier can find and an e-mail that you read. Keep your password to yourself: what is done with it counts
        as done by you.
      </p>
    ),
  },
  {
    title: 'Orders & Payments',
    body: (
      <p>
        Prices are in Indian rupees; tax is added and shown before you place an order. You pay cash on delivery or ahead. Should a price
        have changed between your cart and your order, we say so and ask you again. An order is a contract once we have confirmed it, which
        its page shows.
      </p>
    ),
  },
  {
    title: 'Shipping & Delivery',
    body: <p>Parcels leave Kannauj and arrive five to seven days after the order. We tell you when yours is on its way.</p>,
  },
  {
    title: 'Returns & Refunds',
    body: (
      <p>
        What may come back, how and until when is set out in the{' '}
        <Link to={pages.returnPolicy} className="link text-ink">
          Return Policy
        </Link>
        .
      </p>
    ),
  },
  {
    title: 'Intellectual Property',
    body: <p>The name RUHANI, the niche and its drop, the pictures and these words are ours. Please ask before you use them.</p>,
  },
  {
    title: 'Limitation of Liability',
    body: (
      <p>
        Perfume can irritate: try a drop on the inside of the arm first, and read the label if you have allergies. We answer for what we
        send you up to the price you paid for it, and beyond that where the law says so.
      </p>
    ),
  },
  {
    title: 'Governing Law',
    body: (
      <p>
        The law of India governs these terms, and the courts of Kannauj, Uttar Pradesh decide about them. Before it comes to that, write to{' '}
        <SupportEmail />.
      </p>
    ),
  },
];

export const TermsPage = () => <PolicyPage title="Terms & Conditions" updated="24 November 2026" sections={sections} />;
