import { useProductsQuery } from '../../features/catalogue/catalogue-api.ts';
import { ProductCard } from '../../features/catalogue/ProductCard.tsx';
import { Carousel } from '../../ui/Carousel.tsx';
import { ProductRowSkeleton } from './ProductRowSkeleton.tsx';

/** Four steps of four. */
const MOST = 16;
/** Up to four are a grid, more a slider: four in view on wide screens, 1.2 on phones (specification, section 2). */
const VISIBLE = { phone: 1.2, tablet: 2.4, wide: 4 };

export const Bestsellers = () => {
  const { data, isLoading } = useProductsQuery({ bestsellers: true, limit: MOST });
  if (!isLoading && !data?.length) return null;
  return (
    <div className="page-x pt-section">
      {data ? (
        <Carousel label="bestsellers" visible={VISIBLE} heading={<Heading />}>
          {data.map((product) => (
            <ProductCard key={product._id} product={product} place="rail" tagless />
          ))}
        </Carousel>
      ) : (
        <ProductRowSkeleton heading={<Heading />} count={4} className="lg:grid-cols-4 lg:gap-x-6" />
      )}
    </div>
  );
};

const Heading = () => <h2 className="display text-h1">Bestsellers</h2>;
