import { AddToCartButton } from '../../features/cart/AddToCartButton.tsx';
import { ProductPage } from '../../features/catalogue/ProductPage.tsx';

/** A product, with the cart's button: two features meet. */
export const Product = () => <ProductPage AddToCart={AddToCartButton} />;
