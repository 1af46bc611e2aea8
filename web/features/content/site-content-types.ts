import type { HeroVariant } from '#domain/site/pictures.ts';
import type { ConfiguredInput } from '../../lib/configured-input.ts';

/** `to` is a path of the shop ('/about') unless stated otherwise. */
export type ContentLink = { readonly text: string; readonly to: string };

export type ContentPicture = { readonly src: string; readonly alt: string; readonly width: number; readonly height: number };

type HeroWords = {
  readonly title: readonly string[];
  readonly subtitle: string;
  readonly ctaPrimary: ContentLink;
  readonly ctaSecondary: ContentLink;
};

export type CenterHeroContent = HeroWords & { readonly backgroundImage: ContentPicture; readonly backgroundImageMobile: ContentPicture };

export type NicheColours = Readonly<Record<'wall' | 'deep' | 'floor' | 'slab' | 'slabTop', string>>;

export type Signature = { readonly id: string; readonly name: string; readonly picture: ContentPicture; readonly colours: NicheColours };

export type SplitHeroContent = HeroWords & { readonly foregroundImage: readonly Signature[] };

export type HappyCustomer = {
  readonly profiles: readonly { readonly id: string; readonly imageUrl: string }[];
  readonly text: string;
  readonly detail: string;
};

export type HeroContent = {
  /** The default variant is split if that has pictures to rotate, else center. */
  readonly variant?: HeroVariant;
  readonly center: CenterHeroContent;
  readonly split: SplitHeroContent;
  readonly happyCustomer: HappyCustomer;
};

export type Review = {
  readonly id: string;
  /** The rating goes from 0 to 5 in half steps. */
  readonly rating: number;
  readonly reviewText: string;
  readonly avatarUrl: string;
  readonly name: string;
  readonly location: string;
};

export type CollectionTile = {
  readonly id: string;
  /** The name is a value of the shop's `collection` parameter. */
  readonly name: string;
  readonly line: string;
  readonly productImageUrl: string;
};

/** A link with `forAdmins` is hidden for everybody else. */
export type FooterLink = ContentLink & { readonly forAdmins?: true };

export type SiteContent = {
  readonly hero: HeroContent;
  readonly collection: { readonly title: string; readonly desc: string; readonly products: readonly CollectionTile[] };
  readonly teaser: {
    readonly title: readonly string[];
    readonly story: readonly { readonly id: string; readonly para: string }[];
    readonly cta?: ContentLink;
    readonly image: ContentPicture;
  };
  readonly customerExperience: {
    readonly title: string;
    readonly reviews: readonly Review[];
    readonly ctaText?: string;
    readonly ctaLink?: string;
  };
  readonly promo: { readonly title: string; readonly desc: string; readonly cta: ContentLink; readonly image: ContentPicture };
  readonly subscribe: { readonly title: string; readonly desc: string };
  readonly social: { readonly label: string; readonly tiles: readonly (ContentPicture & { readonly id: string; readonly href: string })[] };
  readonly contact: { readonly desc: string; readonly hours: string; readonly inputs: readonly ConfiguredInput[] };
  readonly checkout: { readonly provider: string };
  readonly footer: {
    readonly desc: string;
    readonly columns: readonly { readonly title: string; readonly links: readonly FooterLink[] }[];
    readonly contact: { readonly address: readonly string[]; readonly phone: string; readonly email: string };
    readonly social: readonly { readonly network: 'Facebook' | 'Instagram' | 'Twitter'; readonly href: string }[];
    readonly copyright: string;
  };
};
