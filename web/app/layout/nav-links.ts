import { pages } from '#domain/site/pages.ts';

export const navLinks = [
  { text: 'HOME', to: pages.home },
  { text: 'SHOP', to: pages.shop },
  { text: 'ABOUT', to: pages.about },
  { text: 'CONTACT', to: pages.contact },
] as const;
