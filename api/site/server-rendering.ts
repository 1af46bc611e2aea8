import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { HeroVariant } from '#domain/site/pictures.ts';

/** Renders the first screen of an address to HTML, from the answers to its first calls. */
export type Render = (address: string, answers: unknown) => Promise<string>;

/** The browser then renders the page itself. */
const renderNothing: Render = () => Promise.resolve('');

type Renderer = { readonly renderScreen: (address: string, answers: unknown, hero?: HeroVariant) => Promise<string> };
type RendererDeps = {
  readonly directory: string;
  readonly hero: HeroVariant | undefined;
  readonly onFailure: (error: unknown, address: string) => void;
};

/**
 * Loads the renderer from the build of `web`; without a build nothing is rendered. Never throws: a page that fails to render is reported
 * and left to the browser.
 */
export const loadRenderer = async ({ directory, hero, onFailure }: RendererDeps): Promise<Render> => {
  const file = path.join(directory, '.vite/renderer/render.js');
  if (!existsSync(file)) return renderNothing;
  // The cast is safe: only the build of `web` is imported.
  const { renderScreen } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Renderer;
  return async (address, answers) => {
    try {
      return await renderScreen(address, answers, hero);
    } catch (error) {
      onFailure(error, address);
      return '';
    }
  };
};
