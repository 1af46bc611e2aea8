import type { ConfiguredInput } from '../../lib/configured-input.ts';

/** A field is named by its input's name, else by its label in lower case (specification, section 3). */
export const fieldNameOf = ({ name, label }: Pick<ConfiguredInput, 'name' | 'label'>): string => name ?? label.toLowerCase();
