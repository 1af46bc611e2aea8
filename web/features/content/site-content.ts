import type { ContentLink, ContentPicture, SiteContent } from './site-content-types.ts';

const toShop: ContentLink = { text: 'Shop the House', to: '/shop' };
const toStory: ContentLink = { text: 'Our Story', to: '/about' };

const cutout = (n: number, alt: string): ContentPicture => ({ src: `/pictures/hero/cutout-${n}.webp`, alt, width: 1000, height: 1300 });
const collection = (name: string): ContentLink => ({ text: name, to: `/shop?collection=${encodeURIComponent(name)}` });
const socialTile = (n: number, alt: string) => ({
  id: `social-${n}`,
  href: 'https://www.instagram.com/',
  src: `/pictures/social/${n}.webp`,
  alt,
  width: 800,
  height: 800,
});

/** The texts of the site are a chunk of their own. Until it has loaded, the header shows 'Loading...'. */
export const siteContent: SiteContent = {
  hero: {
    center: {
      title: ['Spirit,', 'drawn slowly.'],
      subtitle: 'Attars and extraits from Kannauj, distilled over wood fire and finished for the way we wear perfume now.',
      ctaPrimary: toShop,
      ctaSecondary: toStory,
      backgroundImage: {
        src: '/pictures/hero/hero.webp',
        alt: 'Three Ruhani bottles on dark stone with saffron, agarwood, rose petals and a ribbon of incense smoke',
        width: 2400,
        height: 1350,
      },
      backgroundImageMobile: {
        src: '/pictures/hero/hero-mobile.webp',
        alt: 'Three Ruhani bottles on dark stone with saffron and a ribbon of incense smoke',
        width: 1080,
        height: 1440,
      },
    },
    split: {
      title: ['Worn close.', 'Remembered long.'],
      subtitle: 'Thirty perfumes in five families, made from roots, resins and petals we can name the village of.',
      ctaPrimary: toShop,
      ctaSecondary: toStory,
      foregroundImage: [
        {
          id: 'mogra-at-dusk',
          name: 'Mogra at Dusk',
          picture: cutout(2, 'Mogra at Dusk bottle'),
          colours: { wall: '#f1dad0', deep: '#e2bfb2', floor: '#ecd2c7', slab: '#e3c9be', slabTop: '#f7e9e2' },
        },
        {
          id: 'oud-saffron-majlis',
          name: 'Oud Saffron Majlis',
          picture: cutout(1, 'Oud Saffron Majlis bottle'),
          colours: { wall: '#5a3f2c', deep: '#3b2a1f', floor: '#4a3424', slab: '#241913', slabTop: '#3a2a1f' },
        },
        {
          id: 'ruh-gulab',
          name: 'Ruh Gulab',
          picture: cutout(3, 'Ruh Gulab crystal attar bottle'),
          colours: { wall: '#1f4638', deep: '#12291f', floor: '#1a3b2f', slab: '#0d211a', slabTop: '#234a3b' },
        },
      ],
    },
    happyCustomer: {
      profiles: ['1', '2', '5', '6'].map((id) => ({ id, imageUrl: `/pictures/avatars/${id}.webp` })),
      text: 'Trusted by 10,000+ happy customers',
      detail: 'from Kochi to Kashmir',
    },
  },
  collection: {
    title: 'Five families',
    desc: 'Begin with the material you already love. Each family is a room of its own, lit the way its perfumes feel.',
    products: [
      { id: 'oud', name: 'Oud', line: 'Resin, smoke, leather', productImageUrl: '/pictures/collections/oud.webp' },
      { id: 'floral', name: 'Floral', line: 'Rose, mogra, champa', productImageUrl: '/pictures/collections/floral.webp' },
      { id: 'fresh', name: 'Fresh', line: 'Khus, citrus, rain', productImageUrl: '/pictures/collections/fresh.webp' },
      { id: 'musk', name: 'Musk', line: 'Skin, silk, sandal', productImageUrl: '/pictures/collections/musk.webp' },
      { id: 'attar', name: 'Attar', line: 'Pure oils, no alcohol', productImageUrl: '/pictures/collections/attar.webp' },
    ],
  },
  teaser: {
    title: ['Copper, clay,', 'bamboo, water'],
    story: [
      {
        id: 'deg',
        para: 'The deg is a copper pot sealed with clay. Petals go in at dawn, while they still hold the cold of the night. A bamboo pipe carries their steam to the bhapka, a long-necked vessel lying in water, and there, over sandalwood, the steam becomes attar.',
      },
      {
        id: 'distiller',
        para: 'Nobody watches a gauge. The distiller listens to the pot and feels the pipe with the back of a hand. We have not found a better instrument.',
      },
    ],
    cta: { text: 'Read our story', to: '/about' },
    image: {
      src: '/pictures/story/distillation.webp',
      alt: 'Copper deg still on a clay furnace, its bamboo pipe leading to a bhapka receiver, steam rising',
      width: 1600,
      height: 1200,
    },
  },
  customerExperience: {
    title: 'From those who wear it',
    ctaText: 'Read every review',
    ctaLink: '/reviews',
    reviews: [
      {
        id: 'ananya',
        rating: 5,
        reviewText:
          'My grandmother kept a ruh gulab in her steel almirah. This is the first one that took me back to the smell of that shelf.',
        avatarUrl: '/pictures/avatars/1.webp',
        name: 'Ananya Mehta',
        location: 'Mumbai',
      },
      {
        id: 'kabir',
        rating: 5,
        reviewText:
          'Oud Saffron Majlis lasted through a winter wedding, a long drive and the next morning. Three people asked before dinner.',
        avatarUrl: '/pictures/avatars/2.webp',
        name: 'Kabir Sethi',
        location: 'New Delhi',
      },
      {
        id: 'rhea',
        rating: 4.5,
        reviewText: 'Mitti After Rain is exactly the first ten minutes of June. I wear it in April, to hurry things along.',
        avatarUrl: '/pictures/avatars/3.webp',
        name: 'Rhea Nair',
        location: 'Kochi',
      },
      {
        id: 'zoya',
        rating: 5,
        reviewText: 'The wrapping alone was a gift. Then my mother opened the bottle and went quiet for a while.',
        avatarUrl: '/pictures/avatars/4.webp',
        name: 'Zoya Haider',
        location: 'Lucknow',
      },
      {
        id: 'priya',
        rating: 4.5,
        reviewText: 'Mogra at Dusk without the headache most jasmines give me. Green, cool, a little salty at the end.',
        avatarUrl: '/pictures/avatars/5.webp',
        name: 'Priya Deshpande',
        location: 'Pune',
      },
      {
        id: 'ishaan',
        rating: 5,
        reviewText: 'Ordered Vetiver Monsoon for the office. Two colleagues have ordered it since, so now I need another.',
        avatarUrl: '/pictures/avatars/6.webp',
        name: 'Ishaan Verma',
        location: 'Bengaluru',
      },
    ],
  },
  promo: {
    title: 'Wrapped by hand, for ₹39',
    desc: 'Handmade cotton paper, a length of oxblood silk thread and your words on a card. Choose gift wrap at checkout.',
    cta: { text: 'Find a gift', to: '/shop' },
    image: {
      src: '/pictures/story/attar-tray.webp',
      alt: 'Five attar bottles on a rosewood tray in afternoon window light',
      width: 1600,
      height: 1200,
    },
  },
  subscribe: {
    title: 'Letters from Kannauj',
    desc: 'News of the harvests, when there is some: rose, mogra, khus and kewda. Every letter has a link that ends them.',
  },
  social: {
    label: 'RUHANI on Instagram',
    tiles: [
      socialTile(1, 'Oud perfume with agarwood and saffron'),
      socialTile(2, 'Rose perfume among roses and petals'),
      socialTile(3, 'Attar bottles on a wooden tray in window light'),
      socialTile(4, 'Attars on a brass tray over emerald velvet'),
    ],
  },
  contact: {
    desc: 'Ask about a material, a missing parcel or which oud to begin with. A person reads it and answers by e-mail.',
    hours: 'Monday to Saturday, 10:00 to 18:00 IST',
    inputs: [
      { label: 'Name', type: 'text', required: true, autoComplete: 'name', half: true },
      { label: 'Phone', type: 'tel', required: false, autoComplete: 'tel', half: true },
      { label: 'Email', type: 'email', required: true, autoComplete: 'email' },
      { label: 'Message', type: 'textarea', required: true, placeholder: 'How can we help?' },
    ],
  },
  checkout: { provider: 'Razorpay' },
  footer: {
    desc: 'Attars and fine perfume from Kannauj, distilled over wood fire and bottled by hand in small numbered batches.',
    columns: [
      {
        title: 'Shop',
        links: [
          { text: 'All Products', to: '/shop' },
          ...['Oud', 'Floral', 'Fresh', 'Musk', 'Attar'].map(collection),
          { text: 'View All Orders', to: '/viewAllOrders' },
        ],
      },
      {
        title: 'Quicklinks',
        links: [
          { text: 'About Us', to: '/about' },
          { text: 'Contact Us', to: '/contact' },
          { text: 'Shipping & Returns', to: '/return-policy' },
          { text: 'Privacy Policy', to: '/privacy-policy' },
          { text: 'Terms & Conditions', to: '/terms' },
          { text: 'Find your order', to: '/find-order' },
          { text: 'Site Manager', to: '/admin/site-manager', forAdmins: true },
        ],
      },
    ],
    contact: {
      address: ['14 Bada Bazaar, Old Perfumers’ Lane', 'Kannauj, Uttar Pradesh 209725'],
      phone: '+91 5694 555 014',
      email: 'care@ruhani.example',
    },
    social: [
      { network: 'Facebook', href: 'https://www.facebook.com/' },
      { network: 'Instagram', href: 'https://www.instagram.com/' },
      { network: 'Twitter', href: 'https://twitter.com/' },
    ],
    copyright: '© 2026 RUHANI. All rights reserved.',
  },
};
