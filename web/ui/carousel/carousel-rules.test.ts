import { describe, expect, test } from 'vitest';
import { changeThreshold, pageOfSlide, placeOf } from './Carousel.tsx';

describe('where a carousel stands', () => {
  test('eight perfumes, four at a time, are two steps', () =>
    expect(placeOf(1, 8, 4)).toEqual({ pages: 2, page: 1, passed: 4, first: 4, last: 7 }));
  test('on a phone one and a fifth of the next can be seen, and each perfume is a step', () =>
    expect(placeOf(2, 8, 1.2)).toEqual({ pages: 8, page: 2, passed: 2, first: 2, last: 3 }));
  test('the last step on a phone ends with the last perfume at the right edge', () =>
    expect(placeOf(7, 8, 1.2)).toEqual({ pages: 8, page: 7, passed: 6.8, first: 6, last: 7 }));
  test('a last step that is not full stays full of perfumes', () =>
    expect(placeOf(1, 6, 4)).toMatchObject({ pages: 2, passed: 2, first: 2 }));
  test('after the last step comes the first, and before the first the last', () => {
    expect(placeOf(2, 8, 4).page).toBe(0);
    expect(placeOf(-1, 8, 4).page).toBe(1);
  });
  test('what fits is one step that does not move', () => expect(placeOf(3, 3, 3)).toMatchObject({ pages: 1, page: 0, passed: 0 }));
  test('a perfume reached by Tab is on the step that shows it whole', () => expect(pageOfSlide(5, 4)).toBe(1));
});

describe('how far a hand must go', () => {
  test('15 % of a wide slide', () => expect(changeThreshold(800, false)).toBe(120));
  test('but never less than 50 px', () => expect(changeThreshold(200, false)).toBe(50));
  test('50 px on the simple rail, however wide', () => expect(changeThreshold(800, true)).toBe(50));
});
