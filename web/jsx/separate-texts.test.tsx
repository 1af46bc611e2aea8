import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';

/** Replaces each text node as a browser does that translates the page. */
const translate = (element: Element): void => {
  for (const child of element.childNodes)
    if (child instanceof Element) translate(child);
    else child.replaceWith(Object.assign(document.createElement('font'), { textContent: `<${child.textContent}>` }));
};

const Link = ({ children }: { readonly children: ReactNode }) => <a href="/">{children}</a>;

// prettier-ignore
const changes: readonly (readonly [string, (isLater: boolean) => ReactNode, string])[] = [
  ['an icon before a text', (isLater) => <p>{isLater ? <b>✓</b> : <i>…</i>} Order</p>, '✓ Order'],
  ['a text between elements', (isLater) => <p><i>1</i>{isLater ? 'Paid' : 'Due'}<b>2</b></p>, '1Paid2'],
  ['a text that goes', (isLater) => <p>{!isLater && 'Due'}<b>2</b></p>, '2'],
  ['a sentence of several texts', (isLater) => <p>Show {isLater ? 1 : 12} perfume{!isLater && 's'}</p>, 'Show 1 perfume'],
  ['an element after the only text', (isLater) => <p>Order{isLater && <b>!</b>}</p>, 'Order!'],
  ['a fragment', (isLater) => <p><>{isLater ? 'Paid' : 'Due'}</>{isLater && <b>!</b>}</p>, 'Paid!'],
  ['a child of a component', (isLater) => <Link>{isLater && <b>✓</b>}Order {isLater ? 2 : 1}</Link>, '✓Order 2'],
  ['a choice', (isLater) => <select><option>{isLater ? 2 : 1} bottles</option></select>, '2 bottles'],
];

test.each(changes)('%s changes on a translated page', (_, draw, text) => {
  const { container, rerender } = render(draw(false));
  translate(container);
  rerender(draw(true));
  expect(container.textContent.replaceAll(/[<>]/g, '')).toBe(text);
});
