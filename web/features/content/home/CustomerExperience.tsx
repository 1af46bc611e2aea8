import { Carousel } from '../../../ui/carousel/Carousel.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { ReviewQuote } from '../ReviewQuote.tsx';
import type { SiteContent } from '../site-content-types.ts';

/** Three reviews side by side on the desktop and 1.2 on a phone (specification, section 2). */
const VISIBLE = { phone: 1.2, tablet: 3, wide: 3 };

export const CustomerExperience = ({ experience }: { readonly experience: SiteContent['customerExperience'] }) => {
  const { title, reviews, ctaText, ctaLink } = experience;
  return (
    <div className="page-x pt-section">
      <Carousel
        label="reviews"
        visible={VISIBLE}
        restGap={40}
        heading={<h2 className="display text-h1">{title}</h2>}
        foot={ctaText && ctaLink ? <TextLink to={ctaLink}>{ctaText}</TextLink> : undefined}
      >
        {reviews.map((review) => (
          <ReviewQuote key={review.id} review={review} />
        ))}
      </Carousel>
    </div>
  );
};
