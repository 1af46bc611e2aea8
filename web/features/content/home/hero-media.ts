/** Where the centre hero stands upright: the complement of the variant `sideways` in styles.css. */
export const UPRIGHT = '(width < 48rem), (width < 64rem) and (orientation: portrait)';
export const SIDEWAYS = '(width >= 64rem), (width >= 48rem) and (orientation: landscape)';
/** How wide the bottle of the split hero is drawn. */
export const BOTTLE_SIZES = '(min-width: 64rem) 30vw, 60vw';
