import { Fragment } from 'react';
import { jsx } from 'react/jsx-runtime';

const isText = (child: unknown): child is string | number => typeof child === 'string' || typeof child === 'number';
const isNothing = (child: unknown): boolean => child === null || child === undefined || typeof child === 'boolean';

/** Joins neighbouring texts in the place of the first. The other children keep their places, by which React knows them. */
const joinTexts = (children: readonly unknown[]): unknown[] => {
  const joined = [...children];
  let first: number | undefined;
  for (const [index, child] of children.entries())
    if (isText(child)) {
      if (first === undefined) first = index;
      else [joined[first], joined[index]] = [`${String(joined[first])}${child}`, null];
    } else if (!isNothing(child)) first = undefined;
  return joined;
};

/**
 * Returns the props with an element of its own for each text that stands beside other children. A browser that translates the page
 * replaces every text node. React can then still change the text of an element, but neither change nor remove a text between other
 * children, nor insert anything before it.
 */
export const separateTexts = <Props extends object>(type: unknown, props: Props): Props => {
  const children: unknown = Reflect.get(props, 'children');
  // A fragment's only text may stand beside other children too.
  if (type === Fragment && isText(children)) return { ...props, children: jsx('span', { children }) };
  if (!Array.isArray(children) || !children.some(isText)) return props;
  const joined = joinTexts(children);
  const [only, ...others] = joined.filter((child) => !isNothing(child));
  if (others.length === 0 && type !== Fragment) return { ...props, children: only };
  return { ...props, children: joined.map((child) => (isText(child) ? jsx('span', { children: child }) : child)) };
};
