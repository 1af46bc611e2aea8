import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The first screen at an address as HTML, from the answers to its first calls by their names. */
export type Draw = (address: string, answers: unknown) => Promise<string>;

/** Draws nothing: the browser then draws the page itself. */
const drawNothing: Draw = () => Promise.resolve('');

type Drawing = { readonly draw: Draw };
type ReadDrawDeps = { readonly directory: string; readonly onFailure: (error: unknown, address: string) => void };

/**
 * What draws pages, as the build of `web` has left it beside them; where there is none, nothing is drawn. A page that cannot be drawn is
 * reported and left to the browser, so this never fails.
 */
export const readDraw = async ({ directory, onFailure }: ReadDrawDeps): Promise<Draw> => {
  const file = path.join(directory, '.vite/drawing/draw.js');
  if (!existsSync(file)) return drawNothing;
  // A program of another room, of which only its build is known here.
  const { draw } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Drawing;
  return async (address, answers) => {
    try {
      return await draw(address, answers);
    } catch (error) {
      onFailure(error, address);
      return '';
    }
  };
};
