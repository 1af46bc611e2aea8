import { expect, test } from 'vitest';
import { changeThreshold, pageOfSlide, computePlace } from './Carousel.tsx';

test('the steps of a carousel are two for eight perfumes shown four at a time', () =>
  expect(computePlace(1, 8, 4)).toEqual({ pages: 2, page: 1, passed: 4, first: 4, last: 7 }));
test('the steps of a carousel are one per perfume on a phone, which shows 1.2 perfumes', () =>
  expect(computePlace(2, 8, 1.2)).toEqual({ pages: 8, page: 2, passed: 2, first: 2, last: 3 }));
test('the steps of a carousel end on a phone with the last perfume at the right edge', () =>
  expect(computePlace(7, 8, 1.2)).toEqual({ pages: 8, page: 7, passed: 6.8, first: 6, last: 7 }));
test('the steps of a carousel overlap at the end, so that the last step shows four perfumes too', () =>
  expect(computePlace(1, 6, 4)).toMatchObject({ pages: 2, passed: 2, first: 2 }));
test('the steps of a carousel wrap around in both directions', () => {
  expect(computePlace(2, 8, 4).page).toBe(0);
  expect(computePlace(-1, 8, 4).page).toBe(1);
});
test('the steps of a carousel what fits is one step that does not move', () =>
  expect(computePlace(3, 3, 3)).toMatchObject({ pages: 1, page: 0, passed: 0 }));
test('the steps of a carousel include one that shows the whole perfume reached by Tab', () => expect(pageOfSlide(5, 4)).toBe(1));

test('the drag that changes the slide is 15 % of a wide slide', () => expect(changeThreshold(800, false)).toBe(120));
test('the drag that changes the slide is never less than 50 px', () => expect(changeThreshold(200, false)).toBe(50));
test('the drag that changes the slide is 50 px on a simple carousel, whatever its width', () =>
  expect(changeThreshold(800, true)).toBe(50));
