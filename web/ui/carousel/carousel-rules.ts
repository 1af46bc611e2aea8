/** The constants of specification, section 9. */
export const AUTO_SLIDE_MS = 4000;
const SMALLEST_CHANGE = 50;
const CHANGE_SHARE = 0.15;

/** How far a hand must go, in px, to change the slide: the larger of 50 px and 15 % of the slide; 50 px on the simple rail. */
export const changeThreshold = (slideWidth: number, simple: boolean): number =>
  simple ? SMALLEST_CHANGE : Math.max(SMALLEST_CHANGE, CHANGE_SHARE * slideWidth);

/** Slides shown at once: 1.2 is one and a glimpse of the next. */
export type Visible = { readonly phone: number; readonly tablet: number; readonly wide: number };

export type Place = {
  /** Steps from end to end, each as many slides as are whole in view. */
  readonly pages: number;
  /** The step that this is, from 0. */
  readonly page: number;
  /** Slides passed on the left; the last step stops where the last slide meets the right edge, so this may be a fraction. */
  readonly passed: number;
  /** First and last slide of which anything can be seen. */
  readonly first: number;
  readonly last: number;
};

/** Where step `page` stands. Steps wrap around: after the last comes the first. */
export const placeOf = (page: number, slides: number, visible: number): Place => {
  const whole = Math.max(1, Math.floor(visible));
  const pages = Math.max(1, Math.ceil(slides / whole));
  const wrapped = ((page % pages) + pages) % pages;
  const passed = Math.min(wrapped * whole, Math.max(0, slides - visible));
  return { pages, page: wrapped, passed, first: Math.floor(passed), last: Math.min(slides, Math.ceil(passed + visible)) - 1 };
};

/** The step on which slide `index` can be seen whole. */
export const pageOfSlide = (index: number, visible: number): number => Math.floor(index / Math.max(1, Math.floor(visible)));
