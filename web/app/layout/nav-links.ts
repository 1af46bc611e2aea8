/** The header's links, here and in the menu of small screens. */
export const navLinks = [
  { text: 'HOME', to: '/' },
  { text: 'SHOP', to: '/shop' },
  { text: 'ABOUT', to: '/about' },
  { text: 'CONTACT', to: '/contact' },
] as const;
