import { ArrowRight } from 'lucide-react';
import { Picture } from '../../../ui/Picture.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import type { SiteContent } from '../site-content-types.ts';

export const Teaser = ({ teaser }: { readonly teaser: SiteContent['teaser'] }) => (
  <section aria-labelledby="teaser" className="mt-section bg-paper">
    <div className="grid md:grid-cols-2 lg:grid-cols-[1.4fr_1fr]">
      <div className="relative overflow-hidden max-md:aspect-[4/3] md:min-h-[44rem]">
        <Picture
          {...teaser.image}
          sizes="(min-width: 48rem) max(58vw, 61rem), 100vw"
          className="depth absolute inset-0 size-full object-cover object-[38%_50%]"
        />
      </div>
      <div className="flex items-center px-gutter py-14 md:py-section md:pr-gutter md:pl-[clamp(2.5rem,5vw,5.5rem)]">
        <div className="max-w-[34rem]">
          <h2 id="teaser" className="display text-h1">
            {teaser.title.map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </h2>
          <div className="mt-7 space-y-5 text-[1.0625rem] leading-[1.7] text-clove">
            {teaser.story.map(({ id, para }) => (
              <p key={id}>{para}</p>
            ))}
          </div>
          {teaser.cta && (
            <div className="mt-8">
              <TextLink to={teaser.cta.to}>
                {teaser.cta.text}
                <ArrowRight className="size-4" strokeWidth={1.5} />
              </TextLink>
            </div>
          )}
        </div>
      </div>
    </div>
  </section>
);
