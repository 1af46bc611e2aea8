import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { monthText } from '../../lib/dates.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { cx } from '../../ui/cx.ts';
import { useAccountQuery, type AccountHolder } from './account-api.ts';
import { AccountSection, sectionTitles } from './AccountSection.tsx';
import { AddressesSection } from './AddressesSection.tsx';
import { DataSection } from './DataSection.tsx';
import { EmailSection } from './EmailSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { SecondFactorSection } from './SecondFactorSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';

export type AccountPageProps = {
  readonly user: AccountHolder;
  /** Google's button, where the shop has it. */
  readonly google: ReactNode;
  /** The list of saved perfumes. */
  readonly wishlist: ReactNode;
  readonly onChanged: (change: Partial<AccountHolder>) => void;
  readonly onSignInAgain: () => void;
  /** Called with the server's message after the erasure. */
  readonly onErased: (message: string) => void;
};

const sections = Object.entries(sectionTitles);

/** `/account`, where signed-in shoppers see and change what the shop knows of them, and who may sign in. */
export const AccountPage = ({ user, google, wishlist, onChanged, onSignInAgain, onErased }: AccountPageProps) => {
  usePageTitle('My Account');
  const { data: account } = useAccountQuery();
  return (
    <div className="page-x pb-section">
      <div className="pt-block pb-8 md:pb-10">
        <h1 className="display text-h1">Your account</h1>
        <p className="mt-2 text-clove wrap-anywhere">
          {account ? `${user.name}, with the house since ${monthText(account.createdAt)}. ` : `${user.name}. `}
          <Link to={pages.myOrders} className="link text-ink">
            See your orders
          </Link>
        </p>
      </div>
      <div className="grid gap-x-16 gap-y-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <Contents />
        <div className="max-w-[52rem] min-w-0">
          <ProfileSection user={user} onChanged={onChanged} />
          <EmailSection user={user} hasPassword={account?.hasPassword} onChanged={onChanged} onSignInAgain={onSignInAgain} />
          <PasswordSection hasPassword={account?.hasPassword} onSignInAgain={onSignInAgain} />
          <SecondFactorSection user={user} account={account} onChanged={onChanged} onSignInAgain={onSignInAgain} />
          <SessionsSection />
          <AddressesSection />
          <AccountSection id="wishlist">{wishlist}</AccountSection>
          <DataSection account={account} google={google} onSignInAgain={onSignInAgain} onErased={onErased} />
        </div>
      </div>
    </div>
  );
};

const Contents = () => {
  const { hash } = useLocation();
  const current = sections.find(([id]) => hash === `#${id}`)?.[0] ?? 'profile';
  return (
    <nav
      aria-label="On this page"
      className="no-bar self-start max-lg:-mx-gutter max-lg:overflow-x-auto max-lg:border-y max-lg:border-sandal max-lg:px-gutter lg:sticky lg:top-28 lg:border-t lg:border-gold lg:pt-3"
    >
      <ul className="flex gap-5 lg:block">
        {sections.map(([id, title]) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? 'true' : undefined}
              className={cx(
                'flex min-h-11 items-center text-[0.9375rem] whitespace-nowrap lg:min-h-10',
                id === current ? 'font-medium text-oxblood' : 'text-clove hover:text-ink',
              )}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};
