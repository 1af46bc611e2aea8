export const AUTO_SLIDE_MS = 4000;
const SMALLEST_CHANGE = 50;
const CHANGE_SHARE = 0.15;

/** The drag in px that changes the slide: the larger of 50 px and 15 % of the slide; 50 px on a simple carousel. */
export const changeThreshold = (slideWidth: number, simple: boolean): number =>
  simple ? SMALLEST_CHANGE : Math.max(SMALLEST_CHANGE, CHANGE_SHARE * slideWidth);

/** Slides in view at once: 1.2 is one and part of the next. */
export type Visible = { readonly phone: number; readonly tablet: number; readonly wide: number };

export type Place = {
  /** Number of steps; each moves by the slides that are fully in view. */
  readonly pages: number;
  /** The current step, from 0. */
  readonly page: number;
  /** Slides to the left of the view. The last step ends at the last slide's right edge, so this may be a fraction. */
  readonly passed: number;
  /** First and last slide that is at least partly in view. */
  readonly first: number;
  readonly last: number;
};

/** The position of step `page`. Steps wrap around. */
export const placeOf = (page: number, slides: number, visible: number): Place => {
  const whole = Math.max(1, Math.floor(visible));
  const pages = Math.max(1, Math.ceil(slides / whole));
  const wrapped = ((page % pages) + pages) % pages;
  const passed = Math.min(wrapped * whole, Math.max(0, slides - visible));
  return { pages, page: wrapped, passed, first: Math.floor(passed), last: Math.min(slides, Math.ceil(passed + visible)) - 1 };
};

/** The step at which slide `index` is fully in view. */
export const pageOfSlide = (index: number, visible: number): number => Math.floor(index / Math.max(1, Math.floor(visible)));
