import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import { ButtonLink } from './Button.tsx';
import { OutLink } from './SafeLink.tsx';
import { TextLink } from './TextLink.tsx';

const HOSTILE = 'javascript:alert(document.domain)';

test('a link whose URL comes from the site content opens a page of the shop in the same tab', () => {
  render(<TextLink to="/about">Our story</TextLink>, { wrapper: MemoryRouter });
  expect(screen.getByRole('link', { name: 'Our story' }).getAttribute('href')).toBe('/about');
});

test('a link whose URL comes from the site content opens another site in a tab without access to the opener', () => {
  render(
    <OutLink href="https://www.instagram.com/" label="Instagram (opens in a new tab)" className="">
      IG
    </OutLink>,
  );
  const link = screen.getByRole('link', { name: 'Instagram (opens in a new tab)' });
  expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noopener']);
});

test('a link whose URL comes from the site content is shown as plain text when it would run a script', () => {
  render(
    <>
      <TextLink to={HOSTILE}>Text</TextLink>
      <ButtonLink to={HOSTILE}>Button</ButtonLink>
      <OutLink href={HOSTILE} className="">
        Out
      </OutLink>
    </>,
    { wrapper: MemoryRouter },
  );
  expect(screen.queryByRole('link')).toBeNull();
  expect(document.body.innerHTML).not.toContain('javascript');
  expect(document.body.textContent).toBe('TextButtonOut');
});
