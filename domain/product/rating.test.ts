import { expect, test } from 'vitest';

import { joinRatings } from './rating.ts';

test.each([
  [
    { ratingStar: 4.5, reviewsCount: 0 },
    { count: 0, sum: 0 },
    { ratingStar: 4.5, reviewsCount: 0, average: 4.5 },
  ],
  [
    { ratingStar: 4.5, reviewsCount: 0 },
    { count: 1, sum: 2 },
    { ratingStar: 2, reviewsCount: 1, average: 2 },
  ],
  [
    { ratingStar: 5, reviewsCount: 2 },
    { count: 1, sum: 4 },
    { ratingStar: 4.5, reviewsCount: 3, average: 4.67 },
  ],
  [
    { ratingStar: 4, reviewsCount: 3 },
    { count: 1, sum: 5 },
    { ratingStar: 4.5, reviewsCount: 4, average: 4.25 },
  ],
  [
    { ratingStar: 4.5, reviewsCount: 100 },
    { count: 3, sum: 3 },
    { ratingStar: 4.5, reviewsCount: 103, average: 4.4 },
  ],
])('%j with buyers %j is %j', (own, bought, joint) => expect(joinRatings(own, bought)).toEqual(joint));
