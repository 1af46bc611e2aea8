import { describe, expect, test } from 'vitest';

import { stateSpellings } from '../testing/state-spellings.ts';
import { isIndia, OTHER_COUNTRY, readPlace, readState, stateCode, stateNamed, states } from './states.ts';

test('the 36 states have distinct codes, and are read by name and code', () => {
  expect(states).toHaveLength(36);
  expect(new Set([...states, OTHER_COUNTRY].map(stateCode)).size).toBe(37);
  expect(states.map(stateNamed)).toEqual(states);
  expect(states.map((state) => stateNamed(stateCode(state)))).toEqual(states);
});

test.each(Object.entries(stateSpellings))('all spellings of the table are read as %s', (code, spellings) => {
  const read = spellings.split('|').map((spelling) => {
    const state = readState(spelling);
    return `${spelling} is ${state ? stateCode(state) : 'unknown'}`;
  });
  const expected = code === 'doubtful' ? 'unknown' : code;
  expect(read).toEqual(spellings.split('|').map((spelling) => `${spelling} is ${expected}`));
});

test('a misspelt name is not taken for a name', () => expect(['Kerela', 'Maharastra'].map(stateNamed)).toEqual([undefined, undefined]));

describe('the place of an address', () => {
  test.each(['India', 'IN', 'ind', ' INDIA ', 'Republic of India', 'Bharat', 'भारत', 'India (भारत)', 'Índia', 'Inida', '🇮🇳', '', ' '])(
    'is in India when the country is %j',
    (country) => {
      expect(isIndia(country)).toBe(true);
      expect(readPlace({ state: 'KL', country })).toBe('Kerala');
      expect(readPlace({ state: 'Utopia', country })).toBeUndefined();
    },
  );

  test.each(['Nepal', 'np', 'US', 'United States', 'Indonesia', 'British Indian Ocean Territory', 'Pakistan', 'नेपाल', '🇺🇸', 'Georgia'])(
    'is abroad when the country is %j, whatever the state is called',
    (country) => {
      for (const state of ['Punjab', 'GA', '32', 'Bavaria', '']) expect(readPlace({ state, country })).toBe(OTHER_COUNTRY);
    },
  );
});
