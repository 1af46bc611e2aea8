import { Link } from 'react-router-dom';
import { inWords, orderTextFields, orderTexts } from '#domain/order/texts.ts';
import { pages } from '#domain/site/pages.ts';
import { PolicyList, PolicyPage, SupportEmail } from './PolicyPage.tsx';

/** The newest text in the list comes first here. */
const texts = orderTextFields.map((field) => orderTexts[field]).reverse();
const collectedTexts = inWords(
  texts.map(({ collected }) => collected),
  ', and ',
);
const storedTexts = inWords(texts.map(({ stored }) => stored));

const sections = [
  {
    title: 'Information We Collect',
    body: (
      <>
        <p>Only what an order, an account or a letter needs:</p>
        <PolicyList
          items={[
            'Your name, e-mail address and telephone number, when you open an account or write to us',
            `The address to which a parcel goes, ${collectedTexts}`,
            'What you ordered, when, and how you chose to pay; we never ask for a card number',
            'Your reviews of perfumes, which everybody reads under your first name',
            'A cookie that keeps your cart and your session',
          ]}
        />
      </>
    ),
  },
  {
    title: 'How We Use Your Information',
    body: (
      <p>
        To send what you ordered, to tell you where it is, to answer you, and to write to you if you asked for our letters. Every letter has
        a link that ends them.
      </p>
    ),
  },
  {
    title: 'Data Security',
    body: (
      <p>
        Addresses, telephone numbers, {storedTexts} are encrypted where they are stored, each shopper’s with a key of their own. Passwords
        are kept only as a hash that cannot be turned back. Everything between your browser and us travels encrypted. The receipt of an
        order says what was ordered and at what price; whoever you give it to cannot read from it who you are.
      </p>
    ),
  },
  {
    title: 'Sharing of Information',
    body: (
      <p>
        The courier learns your name, address and telephone number, and Google that you sign in, if you do so with Google. If you pay in
        advance, Razorpay learns the number and the amount of your order, and what you enter on its page. Nobody else learns anything, and
        nothing is sold.
      </p>
    ),
  },
  {
    title: 'Your Rights',
    body: (
      <p>
        You may have a copy of everything we hold about you, have it corrected, or have it erased: your key is then destroyed, and with it
        every copy can no longer be read. Figures of past sales and the stars of your reviews stay, without you in them. The copy and the
        erasure are in your{' '}
        <Link to={pages.account} className="link">
          account
        </Link>
        , and without one you erase your data on the page of your order, in the browser that ordered, or write to us. What has not shipped
        is then cancelled and its money goes back; while a parcel is on its way, erasing waits. To have something corrected, and for
        anything else, write to <SupportEmail />.
      </p>
    ),
  },
  {
    title: 'Policy Updates',
    body: <p>When this policy changes, the date above changes with it.</p>,
  },
];

export const PrivacyPolicyPage = () => <PolicyPage title="Privacy Policy" updated="29 November 2026" sections={sections} />;
