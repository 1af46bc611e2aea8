import { createContext, type ReactNode } from 'react';
import type { ProductView } from '#domain/product/view.ts';

/** Renders the shop's own card and page. It is passed in by `app`, because features do not import each other. */
export const PreviewSlot = createContext<(product: ProductView) => ReactNode>(() => null);
