import { act, fireEvent, screen } from '@testing-library/react';
import { vi } from 'vitest';

type Name = string | RegExp;

export const getField = (label: Name) => screen.getByLabelText<HTMLInputElement>(label);
/** Replaces the text of a field in one step. */
export const write = (field: Element, text: string): void => void fireEvent.change(field, { target: { value: text } });
export const fill = (label: Name, text: string): void => write(getField(label), text);
/** Returns the hint or the error that describes the element. */
export const getDescription = (element: Element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent;
export const getNote = (label: Name) => getDescription(getField(label));

export const press = (name: Name): void => void fireEvent.click(screen.getByRole('button', { name }));
export const getHref = (name: Name) => screen.getByRole('link', { name }).getAttribute('href');
export const findTitle = (name: Name) => screen.findByRole('heading', { level: 1, name });
export const getTexts = (elements: readonly Element[]) => elements.map(({ textContent }) => textContent);

/** Lets the fake clock run. */
export const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
