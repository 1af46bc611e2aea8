import * as react from 'react/jsx-dev-runtime';
import { separateTexts } from './separate-texts.ts';

export { Fragment, type JSX } from 'react/jsx-dev-runtime';

/** As `jsx-runtime.ts`, for tests and for `npm run dev`. */
export const jsxDEV: typeof react.jsxDEV = (type, props, key, isStatic, ...where) => {
  const separated = separateTexts(type, Object(props));
  return react.jsxDEV(type, separated, key, isStatic && Array.isArray(Reflect.get(separated, 'children')), ...where);
};
