import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';

import { getCookieHeader } from '../accounts/testing/browser.ts';
import { admin as ADMIN, signedInAs } from '../orders/testing/ordering.ts';
import { openShopForFile } from '../testing/test-shop.ts';

const shop = await openShopForFile({ people: { admin: ADMIN } });
const cookie = getCookieHeader(await signedInAs(shop, ADMIN));

const send = (body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = { Cookie: cookie }): Promise<Response> =>
  fetch(`${shop.url}/api/product/pictures`, { method: 'POST', headers: { 'Content-Type': 'image/jpeg', ...headers }, body });

const photo = async (width: number, height: number): Promise<Uint8Array<ArrayBuffer>> => {
  const picture = sharp({ create: { width, height, channels: 3, background: '#7a4b2a' } });
  const bytes = await picture
    .jpeg()
    .withExif({ IFD0: { Copyright: 'Meera at home' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  return new Uint8Array(bytes);
};

const kept = (): Promise<string[]> => readdir(path.join(shop.dataDir, 'public/pictures/uploads')).catch(() => []);

describe('a picture that an admin sends', () => {
  test("is shown in every width, upright, as WebP, without the camera's metadata", async () => {
    const answer = await send(await photo(2_000, 1_000));
    expect(answer.status).toBe(201);
    const { url } = (await answer.json()) as { url: string };
    expect(url).toMatch(/^\/pictures\/uploads\/[0-9a-f]{32}\.webp$/);

    for (const [address, width] of [
      [url, 1_000],
      [url.replace('.webp', '-480.webp'), 480],
    ] as const) {
      const shown = await fetch(shop.url + address);
      expect(shown.status).toBe(200);
      expect(shown.headers.get('content-type')).toBe('image/webp');
      expect(shown.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const { format, width: wide, height, exif } = await sharp(await shown.arrayBuffer()).metadata();
      expect({ format, wide, height, exif }).toEqual({ format: 'webp', wide: width, height: width * 2, exif: undefined });
    }
  });

  test('sent again gets the same address', async () => {
    const [one, other] = await Promise.all([send(await photo(30, 30)), send(await photo(30, 30))]);
    expect(await one.json()).toEqual(await other.json());
  });

  test.each([
    ['a drawing that is a program', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['nothing', ''],
    ['the beginning of a picture', '\u0089PNG\r\n'],
  ])('is refused when it is %s, whatever its name', async (_, content) => {
    const before = await kept();
    const answer = await send(content);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'picture_refused' });
    expect(await kept()).toEqual(before);
  });

  test('is refused when it is truncated', async () => {
    const before = await kept();
    const whole = await photo(400, 400);
    expect((await send(whole.slice(0, whole.length / 2))).status).toBe(400);
    expect(await kept()).toEqual(before);
  });

  test('is refused when it is too large, in bytes or in pixels', async () => {
    expect((await send(new Uint8Array(10 * 1024 * 1024 + 1))).status).toBe(413);
    const bomb = await sharp({ create: { width: 10_000, height: 8_000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expect(await (await send(new Uint8Array(bomb))).json()).toMatchObject({ code: 'picture_refused' });
  });

  test('is accepted from admins only', async () => {
    expect((await send(await photo(10, 10), {})).status).toBe(401);
    expect((await send(await photo(10, 10), { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  });
});

test('no other file of the shop can be read below the path of the pictures', async () => {
  for (const address of ['../../session-secret', '%2e%2e/%2e%2e/session-secret', 'nothing.webp', ''])
    expect((await fetch(`${shop.url}/pictures/uploads/${address}`)).status).toBe(404);
});
