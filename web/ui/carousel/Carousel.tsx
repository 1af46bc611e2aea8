import { ArrowLeft, ArrowRight, Pause, Play } from 'lucide-react';
import { Children, type CSSProperties, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useMedia } from '../../lib/use-media.ts';
import { IconButton } from '../IconButton.tsx';
import { cx } from '../cx.ts';
import { useAutoAdvance } from './use-auto-advance.ts';
import { useSwipe } from './use-swipe.ts';

const AUTO_SLIDE_MS = 4000;
const SMALLEST_CHANGE = 50;
const CHANGE_SHARE = 0.15;

/** Returns the drag in px that changes the slide: 50 px or 15 % of the slide, whichever is larger; 50 px on a simple carousel. */
export const changeThreshold = (slideWidth: number, simple: boolean): number =>
  simple ? SMALLEST_CHANGE : Math.max(SMALLEST_CHANGE, CHANGE_SHARE * slideWidth);

/** The number of slides in view at once: 1.2 is one slide and a fifth of the next. */
type Visible = { readonly phone: number; readonly tablet: number; readonly wide: number };

type Place = {
  /** The number of steps. Each step moves by the slides that are fully in view. */
  readonly pages: number;
  readonly page: number;
  /** The number of slides left of the view. The last step ends at the last slide's right edge, so it may be a fraction. */
  readonly passed: number;
  /** `first` and `last` are the indices of the slides that are at least partly in view. */
  readonly first: number;
  readonly last: number;
};

/** Returns the position of step `page`. Steps wrap around. */
export const computePlace = (page: number, slides: number, visible: number): Place => {
  const whole = Math.max(1, Math.floor(visible));
  const pages = Math.max(1, Math.ceil(slides / whole));
  const wrapped = ((page % pages) + pages) % pages;
  const passed = Math.min(wrapped * whole, Math.max(0, slides - visible));
  return { pages, page: wrapped, passed, first: Math.floor(passed), last: Math.min(slides, Math.ceil(passed + visible)) - 1 };
};

export const pageOfSlide = (index: number, visible: number): number => Math.floor(index / Math.max(1, Math.floor(visible)));

type CarouselProps = {
  /** The label names what the carousel shows, in lower case as in 'Pause reviews'. */
  readonly label: string;
  readonly heading: ReactNode;
  readonly visible: Visible;
  /** A simple carousel never moves by itself, changes after a drag of 50 px, and shows dots instead of a count. */
  readonly simple?: boolean;
  readonly foot?: ReactNode;
  /** The gap in px when all slides fit; otherwise the gap is 24 px. */
  readonly restGap?: number;
  readonly children: ReactNode;
};

const GAP = 24;

const useVisible = ({ phone, tablet, wide }: Visible): number => {
  const isTablet = useMedia('(min-width: 48rem)');
  const isWide = useMedia('(min-width: 64rem)');
  return isWide ? wide : isTablet ? tablet : phone;
};

/**
 * When all slides fit, the carousel is a plain row. Otherwise it advances every four seconds, and by buttons, arrow keys and drag, any of
 * which ends the automatic motion. It pauses while hovered, focused or out of view.
 */
export const Carousel = ({ label, heading, visible, simple = false, foot, restGap = GAP, children }: CarouselProps) => {
  const slides = Children.toArray(children);
  const inView = useVisible(visible);
  const [wanted, setWanted] = useState(0);
  const place = computePlace(wanted, slides.length, inView);
  const moves = slides.length > inView;

  const section = useRef<HTMLElement>(null);
  const advance = (): void => setWanted((page) => page + 1);
  const { playing, stop, toggle } = useAutoAdvance(section, advance, { ms: AUTO_SLIDE_MS, enabled: moves && !simple });

  const go = (page: number): void => {
    stop();
    setWanted(page);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowRight') go(place.page + 1);
    if (event.key === 'ArrowLeft') go(place.page - 1);
  };

  const controls = moves && (
    <Controls label={label} place={place} simple={simple} playing={playing} onToggle={toggle} onStep={(step) => go(place.page + step)} />
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys pressed in any of its slides and buttons
    <section ref={section} aria-roledescription="carousel" aria-label={label} onKeyDown={moves ? onKeyDown : undefined}>
      <div className="flex items-end justify-between gap-6">
        {heading}
        {!simple && <div className="-mr-3 max-md:hidden">{controls}</div>}
      </div>
      <Track slides={slides} inView={inView} place={place} gap={moves ? GAP : restGap} simple={simple} onGo={go} />
      {(controls || foot) && (
        <div className={cx('mt-6 flex min-h-11 flex-wrap items-center justify-between', !foot && 'md:hidden')}>
          {foot ?? <span />}
          <div className={cx('-mr-3 md:hidden', simple && 'flex-1')}>{controls}</div>
        </div>
      )}
    </section>
  );
};

type TrackProps = {
  readonly slides: ReturnType<typeof Children.toArray>;
  readonly inView: number;
  readonly place: Place;
  readonly gap: number;
  readonly simple: boolean;
  readonly onGo: (page: number) => void;
};

const Track = ({ slides, inView, place, gap, simple, onGo }: TrackProps) => {
  const moves = slides.length > inView;
  // The visible part of the next slide extends to the edge of the screen.
  const bleeds = !Number.isInteger(inView);
  const track = useRef<HTMLUListElement>(null);
  const { offset, handlers } = useSwipe((distance) => {
    const slideWidth = track.current?.firstElementChild?.clientWidth ?? 0;
    if (Math.abs(distance) >= changeThreshold(slideWidth, simple)) onGo(place.page + (distance < 0 ? 1 : -1));
  }, moves);

  // A slide out of view is inert and would lose the focus, so the focus moves to the first slide in view.
  useLayoutEffect(() => {
    const all = [...(track.current?.children ?? [])];
    const first = Math.ceil(place.passed);
    const focused = all.findIndex((slide) => slide.contains(document.activeElement));
    if (focused < 0 || (focused >= first && focused < first + Math.floor(inView))) return;
    all[first]?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  }, [place.passed, inView]);

  // Percentages in a transform refer to the track's own width, which is the visible width.
  const slide = `((100% - ${(Math.ceil(inView) - 1) * gap}px) / ${inView})`;
  const passed = `${place.passed} * (${slide} + ${gap}px)`;
  const end = `${slides.length} * ${slide} + ${(slides.length - 1) * gap}px - 100%`;
  const style: CSSProperties = moves ? { transform: `translateX(calc(${offset}px - min(${passed}, ${end})))` } : {};
  return (
    <div
      className={cx('mt-block', moves && 'touch-pan-y overflow-x-clip', moves && (bleeds ? '-mx-gutter px-gutter' : '-mx-2 px-2'))}
      {...handlers}
    >
      <ul
        ref={track}
        style={{ ...style, gap }}
        className={cx('flex', offset === 0 && 'transition-transform duration-[420ms] ease-settle motion-reduce:transition-none')}
      >
        {slides.map((child, index) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears of the focus that a link in it gets
          <li
            key={getKey(child, index)}
            inert={moves && (index < place.first || index > place.last)}
            onFocus={() => {
              const page = pageOfSlide(index, inView);
              if (moves && page !== place.page && index >= place.passed + Math.floor(inView)) onGo(page);
            }}
            style={{ flex: `0 0 calc${slide}` }}
            className="min-w-0"
          >
            {child}
          </li>
        ))}
      </ul>
    </div>
  );
};

const getKey = (child: ReturnType<typeof Children.toArray>[number], index: number) =>
  typeof child === 'object' && 'key' in child && child.key !== null ? child.key : index;

type ControlsProps = {
  readonly label: string;
  readonly place: Place;
  readonly simple: boolean;
  readonly playing: boolean;
  readonly onToggle: () => void;
  readonly onStep: (step: 1 | -1) => void;
};

const Controls = ({ label, place: { page, pages }, simple, playing, onToggle, onStep }: ControlsProps) => (
  <div role="group" aria-label={`${label} controls`} className="flex items-center gap-1">
    {simple ? (
      <Marks page={page} pages={pages} />
    ) : (
      <IconButton
        icon={playing ? Pause : Play}
        label={`${playing ? 'Pause' : 'Play'} ${label}`}
        iconClass="size-[1.125rem]"
        onClick={onToggle}
      />
    )}
    <span aria-live={playing ? 'off' : 'polite'} className={simple ? 'sr-only' : 'figures px-2 text-xs whitespace-nowrap text-clove'}>
      {page + 1} / {pages}
    </span>
    <IconButton icon={ArrowLeft} label="Previous" onClick={() => onStep(-1)} />
    <IconButton icon={ArrowRight} label="Next" onClick={() => onStep(1)} />
  </div>
);

const Marks = ({ page, pages }: { readonly page: number; readonly pages: number }) => (
  <span aria-hidden="true" className="mr-auto flex items-center gap-2 pl-1">
    {Array.from({ length: pages }, (_, index) => (
      <span key={index} className={cx('w-6', index === page ? 'h-[2px] bg-ink' : 'h-px bg-teak')} />
    ))}
  </span>
);
