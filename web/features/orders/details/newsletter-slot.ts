import type { ComponentType } from 'react';

/** The block with which one subscribes. Orders know no newsletter: `app` hands it over. */
export type NewsletterSlot = ComponentType;
