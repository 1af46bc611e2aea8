import { Picture } from '../../../ui/Picture.tsx';
import { OutLink } from '../../../ui/SafeLink.tsx';
import type { SiteContent } from '../site-content-types.ts';

export const SocialTiles = ({ social }: { readonly social: SiteContent['social'] }) => (
  <section aria-label={social.label} className="grid grid-cols-2 md:grid-cols-4">
    {social.tiles.map(({ id, href, alt, src, width, height }) => (
      <OutLink
        key={id}
        href={href}
        className="group relative block aspect-square overflow-hidden focus-visible:-outline-offset-4 focus-visible:outline-ivory"
      >
        <Picture
          src={src}
          alt={`${alt}, on Instagram (opens in a new tab)`}
          width={width}
          height={height}
          sizes="(min-width: 48rem) 25vw, 50vw"
          className="size-full object-cover object-[50%_70%] transition-transform duration-700 ease-settle group-hover:scale-[1.03] motion-reduce:transform-none"
        />
      </OutLink>
    ))}
  </section>
);
