import { type ReactNode, useEffect, useRef, useState } from 'react';
import { usePageTitle } from '../../../lib/use-page-title.ts';

type Section = { readonly title: string; readonly body: ReactNode };

type PolicyPageProps = { readonly title: string; readonly updated: string; readonly sections: readonly Section[] };

/** A policy with title, sections, and a table of contents that is sticky on wide screens. */
export const PolicyPage = ({ title, updated, sections }: PolicyPageProps) => {
  usePageTitle(title);
  const { list, current } = useSectionInView();
  return (
    <div className="page-x pb-section">
      <div className="pt-block pb-10">
        <h1 className="display text-display">{title}</h1>
        <p className="mt-4 text-clove">Last updated {updated}</p>
      </div>
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[18rem_1fr]">
        <nav aria-label="On this page" className="self-start border-t border-gold pt-4 lg:sticky lg:top-28">
          <ol>
            {sections.map((section, index) => (
              <li key={section.title}>
                <a
                  href={`#s${index + 1}`}
                  aria-current={index === current ? 'location' : undefined}
                  className="flex min-h-10 items-center gap-3 text-[0.9375rem] text-clove transition-colors hover:text-ink lg:aria-[current]:text-oxblood"
                >
                  <span className="figures w-5">{index + 1}</span>
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div ref={list} className="max-w-text">
          {sections.map((section, index) => (
            <section key={section.title} id={`s${index + 1}`} className="border-t border-sandal py-9 first:pt-7">
              <h2 className="display text-h2">
                {index + 1}. {section.title}
              </h2>
              <div className="mt-4 space-y-4 text-[1.0625rem] leading-[1.75] text-clove">{section.body}</div>
            </section>
          ))}
        </div>
      </div>
    </div>
  );
};

export const PolicyList = ({ items }: { readonly items: readonly string[] }) => (
  <ul className="space-y-2">
    {items.map((item) => (
      <li key={item} className="flex gap-3">
        <span aria-hidden="true" className="mt-[0.8em] h-px w-4 shrink-0 bg-gold" />
        {item}
      </li>
    ))}
  </ul>
);

/** A section counts as begun when it starts in the top fifth of the window or above it. */
const READ = { rootMargin: '1000000px 0px -80% 0px' };

/** Returns the index of the section being read: the last one that has begun. */
const useSectionInView = () => {
  const list = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    const begun = new Set<Element>();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) begun[isIntersecting ? 'add' : 'delete'](target);
      setCurrent(Math.max(0, begun.size - 1));
    }, READ);
    for (const section of list.current?.children ?? []) observer.observe(section);
    return () => observer.disconnect();
  }, []);
  return { list, current };
};

const SUPPORT = 'care@ruhani.example';

export const SupportEmail = () => (
  <a href={`mailto:${SUPPORT}`} className="link text-ink">
    {SUPPORT}
  </a>
);
