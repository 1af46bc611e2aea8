import { expect, test } from 'vitest';
import { isSafeAddress } from '../ui/SafeLink.tsx';

test.each(['/about', '/shop?collection=Oud', '#s3', 'https://www.instagram.com/', 'mailto:care@ruhani.example', 'tel:+915694555014'])(
  'a link may lead to %s',
  (address) => expect(isSafeAddress(address)).toBe(true),
);

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0000javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://ruhani.example/1',
  'http://[',
])('no link leads to %j', (address) => expect(isSafeAddress(address)).toBe(false));
