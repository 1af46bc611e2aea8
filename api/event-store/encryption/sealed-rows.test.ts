import { expect, test } from 'vitest';

import type { EmailAddress } from '../../platform/email-address.ts';
import { memorySubjectKeys } from '../testing/memory-subject-keys.ts';
import { createSealedRows } from './sealed-rows.ts';

const email = 'meera@example.com' as EmailAddress;
const message = { name: 'Meera', email, phone: '+91 98200 55501', message: 'Is the rose here?' };
const erased = { name: 'erased', email: 'erased', phone: 'erased', message: 'erased' };

const open = () => {
  const keys = { ...memorySubjectKeys(), accept: async () => {} };
  return { keys, sealed: createSealedRows(keys) };
};

test('a row has none of its texts, and reads as written', async () => {
  const { sealed } = open();
  const row = await sealed.sealByAddress('contact_messages', message);
  const stored = [row.subject, row.personal.toString('latin1'), row.address_hash.toString('latin1')].join(' ');
  for (const text of Object.values(message)) expect(stored).not.toContain(text);
  expect(await sealed.open('contact_messages', row)).toEqual({ ...row, ...message });
  expect(await sealed.openAll('contact_messages', [row, row])).toMatchObject([message, message]);
});

test('rows of an address have the same hash, which another shop cannot compute', async () => {
  const { keys, sealed } = open();
  const { address_hash } = await sealed.sealByAddress('subscribers', { email });
  expect(await sealed.hashOf(email)).toEqual(address_hash);
  expect(await createSealedRows(keys).hashOf(email)).toEqual(address_hash);
  expect(await sealed.hashOf('ravi@example.com' as EmailAddress)).not.toEqual(address_hash);
  expect(await open().sealed.hashOf(email)).not.toEqual(address_hash);
});

test('an erased address gets a new subject, under which it is found again, and its old rows read erased', async () => {
  const { keys, sealed } = open();
  const before = await sealed.sealByAddress('contact_messages', message);
  await keys.erase(before.subject);
  const after = await sealed.sealByAddress('contact_messages', message);
  expect(after.subject).not.toBe(before.subject);
  expect(after.address_hash).toEqual(before.address_hash);
  expect(await sealed.openAll('contact_messages', [before, after])).toMatchObject([erased, message]);
  expect(await sealed.subjectOf(email)).toBe(after.subject);
  await keys.erase(after.subject);
  expect(await sealed.openAll('contact_messages', [before, after])).toMatchObject([erased, erased]);
  expect([before.subject, after.subject]).not.toContain(await sealed.subjectOf(email));
});

test('a row of another table or person, and one whose key was lost and made again, reads erased', async () => {
  const { keys, sealed } = open();
  const personal = await sealed.seal('users', 'meera', { name: 'Meera', email, phone: '' });
  await keys.keyFor('ravi');
  expect(await sealed.open('users', { subject: 'ravi', personal })).toMatchObject({ name: 'erased' });
  expect(await sealed.open('subscribers', { subject: 'meera', personal })).toMatchObject({ email: 'erased' });
  expect(await sealed.open('users', { subject: 'meera', personal })).toMatchObject({ name: 'Meera', phone: '' });
  keys.lose('meera');
  await keys.keyFor('meera');
  expect(await sealed.open('users', { subject: 'meera', personal })).toMatchObject({ name: 'erased', phone: 'erased' });
});
