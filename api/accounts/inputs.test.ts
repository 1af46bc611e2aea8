import { describe, expect, test } from 'vitest';

import { NewPassword } from './inputs.ts';

const problemOf = (password: string): string | undefined => NewPassword.safeParse(password).error?.issues[0]?.message;

describe('a new password', () => {
  test.each([
    'rose water at dusk',
    '   leading and trailing   ',
    '\'";-- DROP TABLE',
    '🌹🌹🌹🌺🌺🌼🌼🌸',
    'ütérøß漢字仮名',
    'a'.repeat(63) + 'b'.repeat(65),
    'line\nbreak and\ttab',
    'nul\0inside it',
  ])('may be %j', (password) => expect(problemOf(password)).toBeUndefined());

  test('has 8 to 128 characters, of any length in bytes', () => {
    expect(problemOf('short12')).toBe('Please use at least 8 characters');
    expect(problemOf('🌹🌹🌹🌹')).toBe('Please use at least 8 characters');
    expect(problemOf(`${'x1'.repeat(64)}!`)).toBe('Please use at most 128 characters');
  });

  test.each([
    'password',
    'PassWord1',
    '12345678',
    '987654321',
    'qwertyuiop',
    'iloveyou',
    'aaaaaaaa',
    'abcabcabc',
    '1qaz2wsx',
    'abcdefgh',
    'ASDFGHJKL',
    'Blackhawks',
    'dalmatio',
    'krishna123',
  ])('may not be the common password %j', (password) => expect(problemOf(password)).toBe('This password is too common'));

  test.each(['Ruhani2026', 'RUHANI!!', 'ruhaniruhani', 'Ruhani-Perfumes', '1r2u3h4a5n6i'])("may not be the shop's name: %j", (password) =>
    expect(problemOf(password)).toBe('Please do not use the name of the shop'),
  );

  test('may not have an unpaired surrogate', () => expect(problemOf('rose water \ud800')).toBeDefined());
});
