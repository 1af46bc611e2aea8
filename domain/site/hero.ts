/** The heroes of the home page: one picture, or rotating bottles. */
export const heroes = ['center', 'split'] as const;
export type HeroVariant = (typeof heroes)[number];
