import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState, type ComponentType } from 'react';
import { isFirstPageReady } from '../../lib/first-page-ready.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import type { NewsletterFormProps } from './NewsletterForm.tsx';

const load = async (): Promise<ComponentType<NewsletterFormProps>> => (await import('./NewsletterForm.tsx')).NewsletterForm;

const Unavailable = () => <Alert>This form could not be loaded. Check your connection and load the page again.</Alert>;

const loadedAfter = (event: Promise<void>) =>
  lazy(async () => {
    await event;
    return { default: await load().catch(() => Unavailable) };
  });

let want = (): void => {};
const LateForm = loadedAfter(new Promise((resolve) => (want = resolve)));
const SoonForm = loadedAfter(Promise.resolve());

let Preloaded: ComponentType<NewsletterFormProps> | undefined;

/** Loads the form on the server, which renders it at once. */
export const preloadNewsletterForm = async (): Promise<void> => {
  Preloaded = await load();
};

const NEAR = '600px';

/**
 * The newsletter form. On the first page its script is loaded when the shopper scrolls near it. Until then React keeps the server's HTML,
 * which accepts typing; a submission is repeated once the form works.
 */
export const LazyNewsletterForm = (props: NewsletterFormProps) => {
  // Another component would make React discard the server's HTML, so the first choice is kept.
  const [Form] = useState(() => Preloaded ?? (isFirstPageReady() ? SoonForm : LateForm));
  const place = useRef<HTMLDivElement>(null);
  const works = useRef(false);
  const submittedEarly = useRef(false);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const onSubmit = (event: Event): void => {
      if (works.current) return;
      event.preventDefault();
      submittedEarly.current = true;
      want();
    };
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && want(), {
      rootMargin: NEAR,
    });
    element.addEventListener('submit', onSubmit);
    element.addEventListener('focusin', want);
    observer.observe(element);
    return () => {
      element.removeEventListener('submit', onSubmit);
      element.removeEventListener('focusin', want);
      observer.disconnect();
    };
  }, []);
  const onWorking = (): void => {
    works.current = true;
    if (submittedEarly.current) place.current?.querySelector('form')?.requestSubmit();
  };
  return (
    <div ref={place} className="min-h-13 w-full max-w-xl md:justify-self-end">
      <Suspense>
        <Form {...props} />
        <AfterMount run={onWorking} />
      </Suspense>
    </div>
  );
};

/** Runs a function after a component that loads late has mounted beside it. */
const AfterMount = ({ run }: { readonly run: () => void }) => {
  const onMount = useEffectEvent(run);
  useEffect(() => onMount(), []);
  return null;
};
