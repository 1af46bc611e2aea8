import { pages } from '#domain/pages.ts';

/** The header's links, here and in the menu of small screens. */
export const navLinks = [
  { text: 'HOME', to: pages.home },
  { text: 'SHOP', to: pages.shop },
  { text: 'ABOUT', to: pages.about },
  { text: 'CONTACT', to: pages.contact },
] as const;
