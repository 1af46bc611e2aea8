import type { ElementType, Key } from 'react';
import * as react from 'react/jsx-runtime';
import { separateTexts } from './separate-texts.ts';

export { Fragment, type JSX } from 'react/jsx-runtime';

/** The compiler makes each element of this room with these two (`jsxImportSource` in tsconfig.json), in place of React's own. */
export const jsx = (type: ElementType, props: object, key?: Key) => react.jsx(type, separateTexts(type, props), key);

export const jsxs = (type: ElementType, props: { readonly children: unknown }, key?: Key) => {
  const separated = separateTexts(type, props);
  return (Array.isArray(separated.children) ? react.jsxs : react.jsx)(type, separated, key);
};
