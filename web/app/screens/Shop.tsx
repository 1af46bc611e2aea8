import { AddToCartButton } from '../../features/cart/AddToCartButton.tsx';
import { ShopPage } from '../../features/catalogue/ShopPage.tsx';

/** The listing, with the cart's button on its cards: two features meet. */
export const Shop = () => <ShopPage AddToCart={AddToCartButton} />;
