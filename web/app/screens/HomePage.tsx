import { useSelector } from 'react-redux';
import { BESTSELLERS, FEATURED, pages } from '#domain/site/pages.ts';
import { AddToCartButton } from '../../features/cart/AddToCartButton.tsx';
import { ProductCard } from '../../features/catalogue/ProductCard.tsx';
import { catalogueApi, useProductsQuery } from '../../features/catalogue/catalogue-api.ts';
import { selectContent } from '../../features/content/content-slice.ts';
import { Collections, CustomerExperience, Promo, SocialTiles, Teaser } from '../../features/content/home/HomeSections.tsx';
import { Hero } from '../../features/content/home/Hero.tsx';
import { preloadNewsletterForm } from '../../features/newsletter/LazyNewsletterForm.tsx';
import { NewsletterBand } from '../../features/newsletter/NewsletterBand.tsx';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Carousel } from '../../ui/carousel/Carousel.tsx';
import { withoutSubscription, type Screen } from '../screen.ts';
import { Bestsellers, ProductRowSkeleton } from './Bestsellers.tsx';

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

const MOST = FEATURED.params.limit;
const VISIBLE = { phone: 1.2, tablet: 3, wide: 3 };

/** Renders nothing when no product is featured or the query fails, because the rest of the page does not depend on it. */
const FeaturedProducts = () => {
  const { data, isLoading } = useProductsQuery(FEATURED.params);
  if (!isLoading && !data?.length) return null;
  return (
    <div className="page-x pt-section">
      {data ? (
        <>
          <Carousel label="featured products" visible={VISIBLE} restGap={32} simple heading={<Heading />}>
            {data.slice(0, MOST).map((product) => (
              <ProductCard key={product._id} product={product} AddToCart={AddToCartButton} place="third" />
            ))}
          </Carousel>
          <ButtonLink to={pages.shop} kind="outline" size="lg" className="mt-5 w-full md:hidden">
            View All Products
          </ButtonLink>
        </>
      ) : (
        <ProductRowSkeleton heading={<Heading />} count={MOST} className="md:grid-cols-3 md:gap-x-8" />
      )}
    </div>
  );
};

const Heading = () => (
  <div className="flex flex-1 items-end justify-between gap-6">
    <h2 className="display text-h1">Featured Products</h2>
    <ButtonLink to={pages.shop} kind="outline" className="max-md:hidden">
      View All Products
    </ButtonLink>
  </div>
);

const { products } = catalogueApi.endpoints;

export const homeScreen: Screen = {
  Component: HomePage,
  firstCalls: (dispatch) =>
    Promise.all([
      ...[FEATURED, BESTSELLERS].map(({ params }) => dispatch(products.initiate(params, withoutSubscription))),
      typeof document === 'undefined' && preloadNewsletterForm(),
    ]),
};
