import { catalogue } from './catalogue/projector.ts';
import type { Projector } from './projector.ts';

/** Every read model of the shop, in the order in which they are started. */
export const readModels: readonly Projector[] = [catalogue];
