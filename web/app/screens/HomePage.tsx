import { useSelector } from 'react-redux';
import { selectContent } from '../../features/content/content-slice.ts';
import { Collections } from '../../features/content/home/Collections.tsx';
import { CustomerExperience } from '../../features/content/home/CustomerExperience.tsx';
import { Hero } from '../../features/content/home/Hero.tsx';
import { Promo } from '../../features/content/home/Promo.tsx';
import { SocialTiles } from '../../features/content/home/SocialTiles.tsx';
import { Teaser } from '../../features/content/home/Teaser.tsx';
import { NewsletterBand } from '../../features/newsletter/NewsletterBand.tsx';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Bestsellers } from './Bestsellers.tsx';
import { FeaturedProducts } from './FeaturedProducts.tsx';

/** The features meet here: words from the site content, perfumes from the catalogue. */
export const HomePage = () => {
  usePageTitle('Attars and fine perfume from Kannauj');
  const content = useSelector(selectContent);
  if (!content) return <div className="min-h-[calc(100svh-7.25rem)] bg-paper" />;
  return (
    <>
      <Hero hero={content.hero} />
      <FeaturedProducts />
      <Collections collection={content.collection} />
      <Teaser teaser={content.teaser} />
      <CustomerExperience experience={content.customerExperience} />
      <Bestsellers title="Bestsellers" />
      <Promo promo={content.promo} />
      <NewsletterBand {...content.subscribe} />
      <SocialTiles social={content.social} />
    </>
  );
};
